package monitor

import (
	"context"
	"errors"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// handover is where finalizations wait for news of their snapshots. It holds
// only those who wait now. The zero value is not ready; use newHandover.
type handover struct {
	mu      sync.Mutex
	waiters map[types.NamespacedName]*waiter
}

// waiter is one wait for one incarnation of a snapshot. The channel belongs to
// this wait alone, so news can neither be left over for a later waiter nor come
// from an earlier one; nobody ever closes it, so a late sender does no harm.
type waiter struct {
	uid  types.UID
	news chan struct{}
}

func newHandover() *handover {
	return &handover{waiters: make(map[types.NamespacedName]*waiter)}
}

// notify tells the waiter of this snapshot, if there is one, to look again;
// anyIncarnation reaches whoever waits for the name. It never blocks: a channel
// that is full already says the same.
func (h *handover) notify(name types.NamespacedName, uid types.UID) {
	h.mu.Lock()
	w := h.waiters[name]
	h.mu.Unlock()
	if w == nil || (uid != anyIncarnation && uid != w.uid) {
		return
	}
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// wait looks until the look says something other than errNotReady, and sleeps
// between looks until there is news. It returns what the last look said, or the
// error of ctx. The first look comes after the registration: a snapshot that got
// ready before is seen by the look, one that gets ready later is news.
func (h *handover) wait(
	ctx context.Context, name types.NamespacedName, uid types.UID,
	look func(context.Context) (Verdict, error),
) (Verdict, error) {
	w := h.register(name, uid)
	defer h.remove(name, w)
	for {
		verdict, err := look(ctx)
		if !errors.Is(err, errNotReady) {
			return verdict, err
		}
		select {
		case <-w.news:
		case <-ctx.Done():
			return Verdict{}, ctx.Err()
		}
	}
}

func (h *handover) register(name types.NamespacedName, uid types.UID) *waiter {
	w := &waiter{uid: uid, news: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.waiters[name] = w
	return w
}

// remove takes out this waiter, but never a newer one under the same name.
func (h *handover) remove(name types.NamespacedName, w *waiter) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiters[name] == w {
		delete(h.waiters, name)
	}
}
