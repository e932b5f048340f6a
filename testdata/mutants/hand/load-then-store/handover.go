package monitor

import (
	"context"
	"sync"
)

// handover hands the names of contents over to finalizations, by pod name. Who
// finds no channel makes one, and so may another at the same time.
type handover struct{ notifyPod sync.Map }

func newHandover() *handover { return &handover{} }

func (h *handover) channel(pod string) chan string {
	if known, found := h.notifyPod.Load(pod); found {
		return known.(chan string)
	}
	made := make(chan string, 1)
	h.notifyPod.Store(pod, made)
	return made
}

func (h *handover) notify(pod, content string) {
	select {
	case h.channel(pod) <- content:
	default: // it was said before
	}
}

func (h *handover) await(ctx context.Context, pod string) (string, error) {
	return receive(ctx, h.channel(pod))
}
