package monitor

import (
	"context"
	"sync"
)

// handover hands the names of contents over to the finalizations that wait, by
// pod name.
type handover struct {
	mu        sync.Mutex
	notifyPod map[string]chan string
}

func newHandover() *handover { return &handover{notifyPod: map[string]chan string{}} }

// notify hands the name of a snapshot's content over to the pod's finalization,
// if that waits.
func (h *handover) notify(pod, content string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if waiting, found := h.notifyPod[pod]; found {
		waiting <- content
	}
}

// set registers the pod's finalization, or forgets it.
func (h *handover) set(pod string, waiting chan string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.notifyPod[pod] = waiting; waiting == nil {
		delete(h.notifyPod, pod)
	}
}

// await returns the name of the content that is handed over to the pod's
// finalization, or an error when ctx ends first.
func (h *handover) await(ctx context.Context, pod string) (string, error) {
	h.set(pod, make(chan string))
	content, err := receive(ctx, h.notifyPod[pod])
	if err == nil {
		h.set(pod, nil)
	}
	return content, err
}
