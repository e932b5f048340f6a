package monitor

import "context"

// handover hands the names of contents over to finalizations, by pod name.
type handover struct{ notifyPod map[string]chan string }

func newHandover() *handover { return &handover{notifyPod: make(map[string]chan string)} }

// notify hands the name of a snapshot's content over to the pod's finalization.
func (h *handover) notify(pod, content string) {
	if _, found := h.notifyPod[pod]; !found {
		h.notifyPod[pod] = make(chan string)
	}
	h.notifyPod[pod] <- content
}

// await returns the name of the content that is handed over to the pod's
// finalization, or an error when ctx ends first.
func (h *handover) await(ctx context.Context, pod string) (string, error) {
	if _, found := h.notifyPod[pod]; !found {
		h.notifyPod[pod] = make(chan string)
	}
	return receive(ctx, h.notifyPod[pod])
}
