package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim"
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
