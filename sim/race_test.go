//go:build race

package sim_test

import (
	"context"
	"sync"
	"testing"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// race has two goroutines count, one of them perhaps without the lock.
func race(locked bool) func(context.Context) {
	return func(context.Context) {
		var mu sync.Mutex
		count := 0
		for range 2 {
			go func() {
				if locked {
					mu.Lock()
					defer mu.Unlock()
				}
				count++
			}()
		}
	}
}

// TestRaceIsNotMasked: the turnstile lets one goroutine run at a time, and the detector must see none of that.
func TestRaceIsNotMasked(t *testing.T) {
	for seed := uint64(1); seed <= 100; seed++ {
		o := sim.Options{Schedules: 1, Seed: seed}
		require.Equal(t, []string{"data-race"}, kinds(sim.Explore(t, o, program(race(false)))), "seed %d", seed)
		require.Empty(t, kinds(sim.Explore(t, o, program(race(true)))), "seed %d", seed)
	}
}

// TestRaceIsMaskedWithoutHiding shows that the test above would notice if the hand-offs were not hidden.
func TestRaceIsMaskedWithoutHiding(t *testing.T) {
	o := sim.Options{Schedules: 20}.Without(sched.Mechanisms{Hiding: true})
	assert.Empty(t, sim.Explore(t, o, program(race(false))).Findings)
}
