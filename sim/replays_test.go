package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/snapstorm/snapstorm/sim"
)

// TestReplays: findings of different seeds replay with equal hashes, as they were found and shrunk. make replays does it with a
// hundred.
func TestReplays(t *testing.T) {
	o := sim.Options{Schedules: 200, Seeds: 5, First: true}
	for _, o := range []sim.Options{o, o.Shrunk()} {
		for _, s := range sim.ExploreSeeds(t, o, noisy) {
			require.Equal(t, []string{"panic"}, kinds(s), "seed %d", s.Seed)
			f := s.Findings[0]
			assert.Equal(t, []int{10, 10, 10}, []int{f.Replays, f.Shown, f.Equal}, "seed %d: %s", s.Seed, f.Tape)
		}
	}
}
