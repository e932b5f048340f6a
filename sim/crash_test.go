package sim_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim"
)

// diary is what the programs below write down; it is read when the world has settled.
var diary []string

// TestCrashRunsDeferredCallsInOrder: a crash unwinds one task at a time, a point in a deferred call ends that call, and later
// ones still run.
func TestCrashRunsDeferredCallsInOrder(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 30}, func(w *sim.World) {
		diary = nil
		w.Start(sim.Program{Name: "p", Crashes: 1, Main: func(ctx context.Context) {
			for i := range 3 {
				go func() {
					never := make(chan int)
					defer func() { diary = append(diary, fmt.Sprint("last of ", i)) }()
					defer func() { <-never; diary = append(diary, "beyond a point") }()
					<-ctx.Done()
					<-never
				}()
			}
			<-ctx.Done()
		}})
		w.Settled("in order", func() error {
			for i, line := range diary {
				if want := fmt.Sprint("last of ", i); line != want && len(diary) == 3 {
					return fmt.Errorf("%q", diary)
				}
			}
			return nil
		})
	})
	assert.NotContains(t, kinds(s), "property")
	assert.Equal(t, 30, s.Restarts)
}

// once outlives the runs of its program.
var once sync.Once

// TestNoCrashInsideOnce: package sync takes a once that was left by a dying goroutine for done, which no real crash can
// bring about. The function passes many points, and every time it is begun it is ended.
func TestNoCrashInsideOnce(t *testing.T) {
	begun, ended := 0, 0
	s := sim.Explore(t, sim.Options{Schedules: 50}, func(w *sim.World) {
		once, begun, ended = sync.Once{}, 0, 0
		w.Start(sim.Program{Name: "p", Crashes: 5, Main: func(context.Context) {
			once.Do(func() {
				begun++
				for range 100 {
					sim.Step("work", "inside")
				}
				ended++
			})
		}})
		w.Settled("ended as often as begun", func() error {
			if begun != 1 || ended != 1 {
				return fmt.Errorf("begun %d, ended %d", begun, ended)
			}
			return nil
		})
	})
	assert.Empty(t, s.Findings)
	assert.Equal(t, 250, s.Restarts)
}

// TestPropertiesAreChecked: always after each effect, settled at the end; each is a finding with its name.
func TestPropertiesAreChecked(t *testing.T) {
	effects := func(w *sim.World, n int) {
		w.Start(sim.Program{Name: "p", Main: func(context.Context) {
			for i := range n {
				sim.Effect("count", "it", int64(i))
			}
		}})
	}
	s := sim.Explore(t, sim.Options{Schedules: 3}, func(w *sim.World) {
		effects(w, 1)
		w.Always("Never", func() error { return fmt.Errorf("it happened") })
	})
	assert.Equal(t, []string{"property"}, kinds(s))
	assert.Equal(t, "Never", s.Findings[0].Property)

	s = sim.Explore(t, sim.Options{Schedules: 3}, func(w *sim.World) {
		effects(w, 0)
		w.Settled("Ends", func() error { return fmt.Errorf("it did not") })
	})
	assert.Equal(t, []string{"property"}, kinds(s))
}

// TestNamedAnswersAreOnTheTape: an answer that was given a name is told by it, and replays.
func TestNamedAnswersAreOnTheTape(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 50, First: true}, func(w *sim.World) {
		w.Start(sim.Program{Name: "p", Main: func(context.Context) {
			if sim.Ask("update pods a", 3, 2) == 2 {
				sim.Answered("answer lost")
				panic("I have no answer")
			}
		}})
	})
	assert.Equal(t, []string{"panic"}, kinds(s))
	f := s.Findings[0]
	assert.Equal(t, []int{10, 10}, []int{f.Shown, f.Equal})
	text, err := os.ReadFile(f.Tape)
	assert.NoError(t, err)
	assert.Contains(t, string(text), "fault\t2/3\tp@1\tp\t\tupdate pods a answer lost\t\n")
}
