//go:build race

package sim_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

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
	o := sim.Options{Schedules: 1, Seeds: 100}
	for _, s := range sim.ExploreSeeds(t, o, program(race(false))) {
		require.Equal(t, []string{"data-race"}, kinds(s), "seed %d", s.Seed)
	}
	for _, s := range sim.ExploreSeeds(t, o, program(race(true))) {
		require.Empty(t, kinds(s), "seed %d", s.Seed)
	}
}

// TestRaceIsMaskedWithoutHiding shows that the test above would notice if the hand-offs were not hidden.
func TestRaceIsMaskedWithoutHiding(t *testing.T) {
	o := sim.Options{Schedules: 20}.Without(sched.Mechanisms{Hiding: true})
	assert.Empty(t, sim.Explore(t, o, program(race(false))).Findings)
}

// dyingBeside has goroutines that touch one map without a lock, but in deferred calls only: no real process runs those
// when it is killed.
func dyingBeside(ctx context.Context) {
	seen := map[int]bool{}
	for i := range 4 {
		go func() {
			defer func() { seen[i] = true }()
			<-ctx.Done()
			select {}
		}()
	}
	<-ctx.Done()
	select {}
}

func killed(w *sim.World) { w.Start(sim.Program{Name: "p", Main: dyingBeside, Crashes: 2}) }

// TestDeferredCallsOfACrashDoNotRace: they run one at a time, and the detector knows.
func TestDeferredCallsOfACrashDoNotRace(t *testing.T) {
	o := sim.Options{Schedules: 20}
	assert.Equal(t, []string{"leak", "leak"}, kinds(sim.Explore(t, o, killed)))
	assert.Contains(t, kinds(sim.Explore(t, o.Without(sched.Mechanisms{LastRites: true}), killed)), "data-race")
}

// generations counts the runs of a program in a variable that outlives them.
var generations int

// TestMemoryOutlivesACrash: a run of a program comes after all that earlier runs did, and so does the test.
func TestMemoryOutlivesACrash(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 20}, func(w *sim.World) {
		generations = 0
		w.Start(sim.Program{Name: "p", Crashes: 3, Main: func(ctx context.Context) {
			go func() { generations++ }()
			<-ctx.Done()
		}})
		w.Settled("one of each run that came so far", func() error {
			if generations > 4 {
				return fmt.Errorf("%d", generations)
			}
			return nil
		})
	})
	assert.Empty(t, s.Findings)
	assert.Equal(t, 60, s.Restarts)
}

// apart are programs with two accesses that nothing but the way between them separates.
var apart = map[string]func(context.Context){
	"time": func(context.Context) {
		x := 0
		go func() { x++ }()
		time.Sleep(time.Hour)
		x++
	},
	"a timer": func(context.Context) {
		x := 0
		go func() { x++ }()
		<-time.After(time.Hour)
		x++
	},
	"a ticker": func(context.Context) {
		x := 0
		ticker := time.NewTicker(time.Minute)
		defer ticker.Stop()
		go func() { x++ }()
		<-ticker.C
		x++
	},
	"a function called later": func(context.Context) {
		x := 0
		time.AfterFunc(time.Minute, func() { x++ })
		time.Sleep(2 * time.Minute)
		x++
	},
	"a deadline": func(ctx context.Context) {
		x := 0
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		go func() { x++ }()
		<-ctx.Done()
		x++
	},
	"two timers": func(context.Context) {
		x := 0
		for i := range 2 {
			go func() {
				<-time.After(time.Duration(1+i) * time.Minute)
				x++
			}()
		}
	},
}

// TestRaceApartInTimeIsNotMasked: no timer orders what two goroutines do, however long there is between.
func TestRaceApartInTimeIsNotMasked(t *testing.T) {
	for name, main := range apart {
		t.Run(name, func(t *testing.T) {
			s := explore(t, 20, main)
			require.Equal(t, []string{"data-race"}, kinds(s))
			assert.Equal(t, 20, s.Findings[0].Times)
		})
	}
}
