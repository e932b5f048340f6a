package hook

import (
	"context"
	"time"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// The contexts of the program under test are package context's own. The scheduler is told which one comes of which, and
// when one is ended: a task that looks at a context does not commute with one that ends it.

// WithCancel is context.WithCancel.
func WithCancel(parent context.Context, s *Site) (context.Context, context.CancelFunc) {
	s.Reach()
	ctx, cancel := context.WithCancel(parent)
	sched.Derived(parent.Done(), ctx.Done())
	return ctx, func() { sched.Cancels(ctx.Done()); cancel() }
}

// WithCancelCause is context.WithCancelCause.
func WithCancelCause(parent context.Context, s *Site) (context.Context, context.CancelCauseFunc) {
	s.Reach()
	ctx, cancel := context.WithCancelCause(parent)
	sched.Derived(parent.Done(), ctx.Done())
	return ctx, func(cause error) { sched.Cancels(ctx.Done()); cancel(cause) }
}

// WithTimeout is context.WithTimeout. The deadline keeps the native type, and gets an instant of its own.
func WithTimeout(ctx context.Context, d time.Duration, s *Site) (context.Context, context.CancelFunc) {
	return WithDeadlineCause(ctx, time.Now().Add(d), nil, s)
}

// WithDeadline is context.WithDeadline.
func WithDeadline(ctx context.Context, at time.Time, s *Site) (context.Context, context.CancelFunc) {
	return WithDeadlineCause(ctx, at, nil, s)
}

// WithTimeoutCause is context.WithTimeoutCause.
func WithTimeoutCause(ctx context.Context, d time.Duration, cause error, s *Site) (context.Context, context.CancelFunc) {
	return WithDeadlineCause(ctx, time.Now().Add(d), cause, s)
}

// WithDeadlineCause is context.WithDeadlineCause.
func WithDeadlineCause(parent context.Context, at time.Time, cause error, s *Site) (context.Context, context.CancelFunc) {
	s.Reach()
	ctx, cancel := context.WithDeadlineCause(parent, sched.Deadline(at), cause)
	sched.Derived(parent.Done(), ctx.Done())
	return ctx, func() { sched.Cancels(ctx.Done()); cancel() }
}

// ContextDone is Done of a context.
func ContextDone(ctx context.Context, s *Site) <-chan struct{} {
	s.Reach()
	done := ctx.Done()
	sched.IsDone(done)
	return done
}

// ContextErr is Err of a context.
func ContextErr(ctx context.Context, s *Site) error {
	s.Reach()
	sched.Asks(ctx.Done())
	return ctx.Err()
}
