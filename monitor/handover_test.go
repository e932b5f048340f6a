package monitor

import (
	"context"
	"errors"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/apimachinery/pkg/types"
)

var someSnapshot = types.NamespacedName{Namespace: "ns", Name: "backup-1"}

// script returns a look that answers errNotReady until it has been called as
// often as asked, and reports each call on the channel.
func script(notReady int, looked chan<- int) func(context.Context) (Verdict, error) {
	calls := 0
	return func(context.Context) (Verdict, error) {
		calls++
		looked <- calls
		if calls <= notReady {
			return Verdict{}, errNotReady
		}
		return Verdict{Handle: "h"}, nil
	}
}

func checkEmpty(t *testing.T, h *handover) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if got := len(h.waiters); got != 0 {
		t.Errorf("waiters left behind: got %d, want 0", got)
	}
}

func TestHandoverSeesWhatWasReadyBeforeTheWait(t *testing.T) {
	h := newHandover()
	h.notify(someSnapshot, "u1")
	got, err := h.wait(t.Context(), someSnapshot, "u1", script(0, make(chan int, 1)))
	if err != nil || got.Handle != "h" {
		t.Errorf("wait: got %+v, %v, want handle h", got, err)
	}
	checkEmpty(t, h)
}

func TestHandoverKeepsNewsThatComesDuringTheLook(t *testing.T) {
	h := newHandover()
	looks := 0
	got, err := h.wait(t.Context(), someSnapshot, "u1", func(context.Context) (Verdict, error) {
		looks++
		if looks == 1 {
			h.notify(someSnapshot, "u1")
			h.notify(someSnapshot, "u1")
			return Verdict{}, errNotReady
		}
		return Verdict{Handle: "h"}, nil
	})
	if err != nil || got.Handle != "h" || looks != 2 {
		t.Errorf("wait: got %+v, %v after %d looks, want handle h after 2", got, err, looks)
	}
}

func TestHandoverWakesOnlyItsIncarnation(t *testing.T) {
	h := newHandover()
	w := h.register(someSnapshot, "u2")
	for _, c := range []struct {
		name string
		uid  types.UID
		want int
	}{
		{"an older incarnation", "u1", 0},
		{"this incarnation", "u2", 1},
		{"any incarnation", anyIncarnation, 1},
	} {
		h.notify(someSnapshot, c.uid)
		got := len(w.news)
		if got != c.want {
			t.Errorf("%s: got %d news, want %d", c.name, got, c.want)
		}
		if got > 0 {
			<-w.news
		}
	}
}

func TestHandoverRemovesOnlyItsOwnWaiter(t *testing.T) {
	h := newHandover()
	old := h.register(someSnapshot, "u1")
	newer := h.register(someSnapshot, "u2")
	h.remove(someSnapshot, old)
	if got := h.waiters[someSnapshot]; got != newer {
		t.Errorf("after the old waiter left: got %v, want the newer one", got)
	}
	h.remove(someSnapshot, newer)
	checkEmpty(t, h)
}

func TestHandoverEndsWithItsContext(t *testing.T) {
	h := newHandover()
	ctx, cancel := context.WithCancel(t.Context())
	looked := make(chan int, 1)
	result := make(chan error)
	go func() {
		_, err := h.wait(ctx, someSnapshot, "u1", script(1, looked))
		result <- err
	}()
	<-looked
	cancel()
	if got := <-result; !errors.Is(got, context.Canceled) {
		t.Errorf("wait: got %v, want %v", got, context.Canceled)
	}
	checkEmpty(t, h)
}

// The flood of a restart: most events find nobody waiting, and each waiter gets
// what is its own.
func TestHandoverInAFlood(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	const waiters, events = 20, 50
	h := newHandover()
	looked := make(chan int, 3*waiters)
	var flood, waits sync.WaitGroup
	for i := range waiters {
		name := types.NamespacedName{Name: string(rune('a' + i))}
		waits.Go(func() {
			if got, err := h.wait(t.Context(), name, "u", script(2, looked)); err != nil || got.Handle != "h" {
				t.Errorf("wait %v: got %+v, %v, want handle h", name, got, err)
			}
		})
		flood.Go(func() {
			for range events {
				h.notify(name, "u")
				h.notify(someSnapshot, "u")
			}
		})
	}
	flood.Wait()
	wakeUntilDone(h, &waits)
	checkEmpty(t, h)
}

// wakeUntilDone goes on notifying, for a flood may end before a wait begins.
func wakeUntilDone(h *handover, waits *sync.WaitGroup) {
	done := make(chan struct{})
	go func() { waits.Wait(); close(done) }()
	for i := 0; ; i++ {
		select {
		case <-done:
			return
		default:
			h.notify(types.NamespacedName{Name: string(rune('a' + i%20))}, "u")
		}
	}
}
