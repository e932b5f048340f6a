package monitor

import (
	"context"
	"sync"
)

// handover hands the names of contents over to finalizations, by pod name. What
// nobody takes stays in the buffer, for whoever waits under that name next.
type handover struct {
	mu        sync.Mutex
	notifyPod map[string]chan string
}

func newHandover() *handover { return &handover{notifyPod: make(map[string]chan string)} }

func (h *handover) channel(pod string) chan string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.notifyPod[pod] == nil {
		h.notifyPod[pod] = make(chan string, 1)
	}
	return h.notifyPod[pod]
}

func (h *handover) notify(pod, content string) {
	select {
	case h.channel(pod) <- content:
	default:
	}
}

func (h *handover) await(ctx context.Context, pod string) (string, error) {
	return receive(ctx, h.channel(pod))
}
