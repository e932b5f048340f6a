package monitor

import (
	"context"
	"sync"
)

// handover hands the names of contents over to finalizations, by pod name.
type handover struct {
	mu        sync.Mutex
	notifyPod map[string]chan string
}

func newHandover() *handover { return &handover{notifyPod: make(map[string]chan string)} }

// create makes the pod's channel if there is none.
func (h *handover) create(pod string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.notifyPod[pod] == nil {
		h.notifyPod[pod] = make(chan string)
	}
}

// notify hands the name of a snapshot's content over to the pod's finalization.
func (h *handover) notify(pod, content string) {
	h.create(pod)
	h.notifyPod[pod] <- content
}

// await returns the name of the content that is handed over to the pod's
// finalization, or an error when ctx ends first.
func (h *handover) await(ctx context.Context, pod string) (string, error) {
	h.create(pod)
	return receive(ctx, h.notifyPod[pod])
}
