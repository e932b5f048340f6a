package sim_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim"
)

// TestWaitingInALoopIsNoHang: no machine keeps a goroutine from going on for ever, so a program that looks again and again
// comes to see what it waits for, under every strategy.
func TestWaitingInALoopIsNoHang(t *testing.T) {
	for name, main := range map[string]func(context.Context){
		"atomic load": func(context.Context) {
			var done atomic.Bool
			go func() { done.Store(true) }()
			for !done.Load() {
			}
		},
		"spin lock": func(context.Context) {
			var held atomic.Bool
			for range 3 {
				go func() {
					for !held.CompareAndSwap(false, true) {
						runtime.Gosched()
					}
					runtime.Gosched()
					held.Store(false)
				}()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Empty(t, explore(t, 60, main).Findings)
		})
	}
}

// TestReplacedProgramIsLetOutOfOnce: also the end of the grace period waits until a function inside of a once is done.
func TestReplacedProgramIsLetOutOfOnce(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 50}, func(w *sim.World) {
		once = sync.Once{}
		var done atomic.Bool
		w.Start(sim.Program{Name: "p", Crashes: 1, Overlaps: 1, Main: func(ctx context.Context) {
			once.Do(func() {
				time.Sleep(time.Minute)
				done.Store(true)
			})
			if !done.Load() {
				panic("the once is over, and what it was for was not done")
			}
			<-ctx.Done()
		}})
	})
	assert.Empty(t, s.Findings)
	assert.Positive(t, s.Occurred["replacement"])
}

// TestStallsDoNotEndAWorld: a world is not quiet while a program stands still, however short its horizon is.
func TestStallsDoNotEndAWorld(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 50, Horizon: time.Minute}, func(w *sim.World) {
		var done atomic.Bool
		w.Start(sim.Program{Name: "p", Stalls: 1, Main: func(context.Context) {
			for range 50 {
				time.Sleep(time.Second)
			}
			done.Store(true)
		}})
		w.Settled("Done", func() error {
			if !done.Load() {
				return fmt.Errorf("it was given up")
			}
			return nil
		})
	})
	assert.Empty(t, s.Findings)
	assert.Positive(t, s.Occurred["stall"])
}

// TestShrinkTellsQuestionsOfOneLabelApart: four choices that are called the same, of which the second matters.
func TestShrinkTellsQuestionsOfOneLabelApart(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 50, First: true}.Shrunk(), func(w *sim.World) {
		var fates [4]int
		for i := range fates {
			fates[i] = w.Choose("fate", 2)
		}
		w.Start(sim.Program{Name: "p", Main: func(context.Context) {
			if fates[1] == 1 && fates[2] == 0 {
				panic("fate")
			}
		}})
	})
	if assert.Equal(t, []string{"panic"}, kinds(s)) {
		assert.Regexp(t, "^1 of ", s.Findings[0].Shrunk)
		assert.Equal(t, []int{10, 10}, []int{s.Findings[0].Shown, s.Findings[0].Equal})
	}
}
