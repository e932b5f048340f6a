package hook

import (
	"context"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// ContextAfterFunc is context.AfterFunc. In a world the task that will call f is made here, so that functions which
// become due at one instant run in the order that the scheduler chooses, and not in that of the runtime. The task waits
// idly. No real goroutine would: so it gives up when its process is told to stop, and leaves f to package context.
func ContextAfterFunc(ctx context.Context, f func(), s *Site) (stop func() bool) {
	s.Reach()
	t := sched.Hold()
	if t == nil || ctx.Done() == nil {
		return late(ctx, f)
	}
	a := &afterFunc{ctx: ctx, f: f, wake: make(chan struct{}), stopped: make(chan struct{})}
	process := t.Process().Context().Done()
	go func() { // no task: it wakes one
		select {
		case <-ctx.Done():
		case <-process:
		case <-a.stopped:
		}
		close(a.wake)
	}()
	sched.Go("", a.run, s)
	return a.stop
}

// late leaves f to package context; f comes under the scheduler when it starts.
func late(ctx context.Context, f func()) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		sched.Back()
		f()
	})
}

// afterFunc is a function that waits for the end of a context.
type afterFunc struct {
	ctx      context.Context
	f        func()
	wake     chan struct{} // closed when the wait is over, whatever ended it
	stopped  chan struct{} // closed by stop
	wasEnded bool          // stop closed it
	late     func() bool   // stops f after the task gave up
}

//go:norace
func (a *afterFunc) run() {
	new(sched.Gate).Wait("end of context", 0, a.wake)
	switch {
	case a.wasEnded:
	case a.ctx.Err() == nil:
		a.late = late(a.ctx, a.f)
	default:
		<-a.ctx.Done() // the edge from who ended the context to f
		a.f()
	}
}

//go:norace
func (a *afterFunc) stop() bool {
	sched.Hold()
	switch {
	case a.late != nil:
		return a.late()
	case a.wasEnded || a.ctx.Err() != nil:
		return false
	}
	a.wasEnded = true
	close(a.stopped)
	return true
}
