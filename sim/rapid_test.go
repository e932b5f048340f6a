package sim_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// TestRapidStrategy: lists of rapid find the bugs of small programs, the same lists for the same seed, and nothing in the fixed
// twins; tapes of them are replayed and shrunk as others are.
func TestRapidStrategy(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			o := sim.Options{Schedules: 200, First: true}.By("rapid").Shrunk()
			once, again := sim.Explore(t, o, program(s.bug)), sim.Explore(t, o, program(s.bug))
			assert.Contains(t, kinds(once), s.want)
			assert.Equal(t, once.Steps, again.Steps)
			for i, f := range once.Findings {
				assert.Equal(t, f.Hash, again.Findings[i].Hash)
				assert.NotEmpty(t, f.Shrunk)
				assert.Equal(t, []int{f.Replays, f.Replays}, []int{f.Shown, f.Equal}, f.Summary)
			}
			assert.Empty(t, sim.Explore(t, sim.Options{Schedules: 50}.By("rapid"), program(s.fixed)).Findings)
		})
	}
}

// party is what TestRapid draws.
type party struct {
	Guests int
	Names  []string
	Late   bool
}

var parties = rapid.Custom(func(t *rapid.T) party {
	return party{
		Guests: rapid.IntRange(0, 20).Draw(t, "guests"),
		Names:  rapid.SliceOfN(rapid.StringMatching(`[a-z]+`), 0, 5).Draw(t, "names"),
		Late:   rapid.Bool().Draw(t, "late"),
	}
})

// crowd deadlocks when there are more than three guests and one of them is late, in some schedules.
func crowd(w *sim.World, p party) {
	w.Start(sim.Program{Name: "p", Main: func(context.Context) {
		var a, b sync.Mutex
		if p.Guests > 3 && p.Late {
			abba(&b, &a, &a, &b)
		} else {
			abba(&a, &b, &a, &b)
		}
	}})
}

// TestRapid: rapid finds the party and the schedule that it takes, and makes both small; the tape has both.
func TestRapid(t *testing.T) {
	found := sim.DrawnBy(t, parties, crowd)
	require.Len(t, found, 1)
	f := found[0]
	assert.Equal(t, "deadlock", f.Kind)
	assert.Equal(t, `{"Guests":4,"Names":[],"Late":true}`, f.Drawn)
	assert.Len(t, f.Story, 1, "%v", f.Story)
	assert.Equal(t, []int{10, 10, 10}, []int{f.Replays, f.Shown, f.Equal})
	written, err := tape.Read(f.Tape)
	require.NoError(t, err)
	assert.Equal(t, f.Drawn, written.Drawn)

	again := sim.DrawnBy(t, parties, crowd)
	require.Len(t, again, 1)
	assert.Equal(t, f.Hash, again[0].Hash)
	assert.Equal(t, f.Schedule, again[0].Schedule)
	sim.Rapid(t, parties, func(w *sim.World, p party) { crowd(w, party{}) })
}

// TestRapidPlaysThePortfolio: what takes more answers than a list has is found, too.
func TestRapidPlaysThePortfolio(t *testing.T) {
	found := sim.DrawnBy(t, parties, func(w *sim.World, _ party) {
		w.Start(sim.Program{Name: "p", Main: func(context.Context) {
			n := 0
			for range 100 {
				n += sim.Ask("late", 2, 0)
			}
			if n > 20 {
				panic("too many are late")
			}
		}})
	})
	require.Len(t, found, 1)
	assert.Equal(t, "panic", found[0].Kind)
	assert.Regexp(t, `^21 of \d+$`, found[0].Shrunk)
	assert.Equal(t, []int{10, 10, 10}, []int{found[0].Replays, found[0].Shown, found[0].Equal})
}

func TestRapidWantsValuesThatJSONKeeps(t *testing.T) {
	assert.NoError(t, sim.Survives(party{Guests: 1, Names: []string{}}))
	assert.ErrorContains(t, sim.Survives(struct{ guests int }{1}), "export its fields")
}
