package sim_test

//lint:file-ignore SA2001 a subject only takes its turn

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim"
)

// counters add to a number under a lock, each once.
func counters(n int) func(context.Context) {
	return func(context.Context) {
		var mu sync.Mutex
		total := 0
		for range n {
			go func() {
				mu.Lock()
				total++
				mu.Unlock()
			}()
		}
	}
}

// TestExhaustiveCountsInterleavings: n tasks that use one lock once come in n! orders, whatever else could be switched, and an
// exhaustive search meets each and comes to its end.
func TestExhaustiveCountsInterleavings(t *testing.T) {
	for n, orders := range []int{1, 1, 2, 6, 24} {
		s := sim.Explore(t, sim.Options{}.By("exhaustive"), program(counters(n)))
		assert.True(t, s.Complete)
		assert.Equal(t, orders, s.Interleavings, "%d tasks", n)
		assert.Empty(t, s.Findings)
	}
}

// TestExhaustiveFindsWhatAPreemptionShows: the account is emptied twice only where one task is interrupted between its look and
// its act, and the search finds that, with a tape that shows it again.
func TestExhaustiveFindsWhatAPreemptionShows(t *testing.T) {
	s := sim.Explore(t, sim.Options{}.By("exhaustive"), program(func(context.Context) {
		var mu sync.Mutex
		balance := 1
		withdraw := func() {
			mu.Lock()
			enough := balance > 0
			mu.Unlock()
			if !enough {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if balance--; balance < 0 {
				panic("overdrawn")
			}
		}
		go withdraw()
		go withdraw()
	}))
	if assert.Equal(t, []string{"panic"}, kinds(s)) {
		f := s.Findings[0]
		assert.Equal(t, []int{10, 10}, []int{f.Shown, f.Equal})
	}
	assert.True(t, s.Complete)
}

// TestExhaustiveStopsAtTheFirst: what was under way when enough was found is not counted, so that equal runs say the same.
func TestExhaustiveStopsAtTheFirst(t *testing.T) {
	for range 3 {
		s := sim.Explore(t, sim.Options{First: true}.By("exhaustive"), program(func(context.Context) {
			var mu sync.Mutex
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() { mu.Lock(); mu.Unlock() })
			}
			all.Wait()
			panic("always")
		}))
		assert.Equal(t, 1, s.Schedules)
		assert.False(t, s.Complete)
	}
}

// TestContextOfAnEndedOne: contexts that have ended before anybody asked share one channel, so that such a one seems to come of
// itself.
func TestContextOfAnEndedOne(t *testing.T) {
	s := explore(t, 5, func(ctx context.Context) {
		ended, end := context.WithCancel(ctx)
		end()
		child, endChild := context.WithCancel(ended)
		grandchild, endGrandchild := context.WithCancel(child)
		endGrandchild()
		endChild()
		end()
		if grandchild.Err() == nil {
			panic("alive")
		}
	})
	assert.Empty(t, kinds(s))
}
