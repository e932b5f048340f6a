package sim_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim"
)

// onlyOne is a program that must never run twice at a time, and takes its time to end.
func onlyOne(p sim.Program, running *atomic.Int32) func(*sim.World) {
	return func(w *sim.World) {
		running.Store(0)
		p.Name = "p"
		p.Main = func(ctx context.Context) {
			if running.Add(1) > 1 {
				panic("two runs at once")
			}
			defer running.Add(-1)
			<-ctx.Done()
			time.Sleep(10 * time.Second)
		}
		w.Start(p)
	}
}

// TestReplacedProgramRunsBesideTheNext: a rolling update starts the next run while the last one still ends; a crash does not.
func TestReplacedProgramRunsBesideTheNext(t *testing.T) {
	var running atomic.Int32
	s := sim.Explore(t, sim.Options{Schedules: 20, Twice: true}, onlyOne(sim.Program{Crashes: 2, Overlaps: 1}, &running))
	assert.Equal(t, []string{"panic"}, kinds(s))
	assert.Positive(t, s.Occurred["replacement"])
	s = sim.Explore(t, sim.Options{Schedules: 20}, onlyOne(sim.Program{Crashes: 2}, &running))
	assert.Empty(t, s.Findings)
	assert.Equal(t, 40, s.Occurred["crash"])
}

// TestReplacedProgramIsKilled: what does not end within the grace period is killed, so the world gets quiet, and only the run
// that is there at the end is asked for leaks.
func TestReplacedProgramIsKilled(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 20}, func(w *sim.World) {
		w.Start(sim.Program{Name: "p", Crashes: 1, Overlaps: 1, Main: func(ctx context.Context) {
			if sim.CurrentProcess().Incarnation() == 1 {
				for { // deaf to its context
					time.Sleep(time.Second)
					sim.Effect("work", "on", 0)
				}
			}
		}})
	})
	assert.Empty(t, s.Findings)
	assert.Positive(t, s.Occurred["replacement"])
}

// TestStalledProgramMissesTime: a program that stands still does not notice, so the time between two of its steps may be as
// long as it likes. Without that it is never kept waiting for more than the scheduler's lag of 10 s.
func TestStalledProgramMissesTime(t *testing.T) {
	waits := func(stalls int) func(*sim.World) {
		return func(w *sim.World) {
			w.Go("others", func(context.Context) {
				for range 100 {
					sim.Sleep(time.Second)
				}
			})
			w.Start(sim.Program{Name: "p", Stalls: stalls, Main: func(context.Context) {
				last := time.Now()
				for range 200 {
					sim.Step("work", "on")
					if time.Since(last) > 15*time.Second {
						panic("my lease was over")
					}
					last = time.Now()
				}
			}})
		}
	}
	s := sim.Explore(t, sim.Options{Schedules: 100, Twice: true}, waits(1))
	assert.Equal(t, []string{"panic"}, kinds(s))
	assert.Positive(t, s.Occurred["stall"])
	assert.Empty(t, sim.Explore(t, sim.Options{Schedules: 100}, waits(0)).Findings)
}

// TestStalledProgramGoesOn: a stall ends also when the program has only sleeping to do, and when it is told to stop meanwhile.
func TestStalledProgramGoesOn(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 100}, func(w *sim.World) {
		w.Start(sim.Program{Name: "p", Stalls: 5, Main: func(ctx context.Context) {
			ticker := time.NewTicker(time.Second)
			defer ticker.Stop()
			for range 200 {
				select {
				case <-ticker.C:
				case <-ctx.Done():
					return
				}
			}
		}})
	})
	assert.Empty(t, s.Findings)
	assert.Positive(t, s.Occurred["stall"])
}
