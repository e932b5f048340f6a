package kernels

import (
	"context"
	"slices"
)

// Kernel is a bug and its fix.
type Kernel struct {
	Name  string // with dashes, unique
	Class string // such as "locks" or "channels"
	Want  string // the kind of finding that shows the bug
	Bug   func(ctx context.Context)
	Fixed func(ctx context.Context)

	MaxSteps  int    // of a world, for a bug that is a livelock; 0 means the scheduler's own bound
	Schedules int    // within how many schedules each seed must show it; 0 means 100
	Why       string // it needs more than 100
}

// All returns the kernels of this package by class and name.
func All() []Kernel {
	return slices.Concat(locks, conditions, atomics, memory, channels, selects, contexts, timers, groups, leaks, orders, evaluation)
}
