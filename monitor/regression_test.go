package monitor_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// tapes are those of every flaw that the generations of the hand-over ever showed.
const tapes = "../testdata/tapes"

// TestRegressions plays each tape in testdata/tapes to the monitor. What shows a flaw of an earlier generation must show
// nothing of this one.
func TestRegressions(t *testing.T) {
	tests := map[string]func(*testing.T){"TestSmall": TestSmall, "TestSeveral": TestSeveral, "TestFresh": TestFresh, "TestStorm": TestStorm}
	files, err := filepath.Glob(tapes + "/*.tape")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		played, err := tape.Read(file)
		require.NoError(t, err)
		if !strings.HasSuffix(played.Package, "/monitor") {
			continue // of the example
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".tape"), func(t *testing.T) {
			require.Contains(t, tests, played.Test, "no test of this name plays tapes")
			sim.Regression(t, file, tests[played.Test])
		})
	}
}
