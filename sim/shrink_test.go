package sim_test

//lint:file-ignore SA2001 the subject makes noise

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// noisy does a lot that does not matter beside an account that is emptied twice: that takes one switch between the look and
// the act, and a fault.
func noisy(w *sim.World) {
	w.Start(sim.Program{Name: "p", Main: func(context.Context) {
		var mu sync.Mutex
		balance := 1
		withdraw := func() {
			mu.Lock()
			enough := balance > 0
			mu.Unlock()
			if !enough || sim.Ask("pay", 4, 2) == 0 {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if balance--; balance < 0 {
				panic("overdrawn")
			}
		}
		for range 4 {
			go func() {
				for range 10 {
					mu.Lock()
					mu.Unlock()
				}
			}()
		}
		go withdraw()
		go withdraw()
	}})
}

// TestShrink: of hundreds of choices few are left, each of which the finding needs, and the shrunk tape replays.
func TestShrink(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 200, First: true}.Shrunk(), noisy)
	if !assert.Equal(t, []string{"panic"}, kinds(s)) {
		return
	}
	f := s.Findings[0]
	written, err := tape.Read(f.Tape)
	assert.NoError(t, err)
	assert.LessOrEqual(t, len(written.Entries), 8, "%v", f.Story)
	assert.Len(t, f.Story, len(written.Entries))
	assert.Equal(t, []int{10, 10}, []int{f.Shown, f.Equal})
	assert.NotEmpty(t, written.Shrunk)
}
