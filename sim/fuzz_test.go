package sim_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/snapstorm/snapstorm/sim"
)

// TestFuzzStrategyPlaysTheCorpus: it is the dullest world, in which nothing is wrong, and the tapes of this very test.
func TestFuzzStrategyPlaysTheCorpus(t *testing.T) {
	fuzz := func() sim.Summary { return sim.Explore(t, sim.Options{}.By("fuzz"), noisy) }
	t.Chdir(t.TempDir())
	nothing := fuzz()
	assert.Equal(t, 1, nothing.Schedules)
	assert.Empty(t, nothing.Findings)

	found := sim.Explore(t, sim.Options{Schedules: 200, First: true}.Shrunk(), noisy)
	require.Equal(t, []string{"panic"}, kinds(found))
	text, err := os.ReadFile(found.Findings[0].Tape)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join("testdata", "tapes"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join("testdata", "tapes", "found.tape"), text, 0o644))
	again := fuzz()
	assert.Equal(t, 2, again.Schedules)
	require.Equal(t, []string{"panic"}, kinds(again))
	assert.Equal(t, 2, again.Findings[0].Schedule)
	assert.Equal(t, found.Findings[0].Hash, again.Findings[0].Hash, "the tape made the world")
}
