package conformance

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mutation is a deliberate mistake in a file of the cluster.
type mutation struct{ name, file, right, wrong string }

var mutations = []mutation{
	{
		"a stale update is written", "rules.go",
		`case number > 0 && version != current.GetResourceVersion():`, `case false:`,
	},
	{
		"a new status is a new generation", "write.go",
		`t.kind.takeStatus(next, o)`, `t.kind.takeStatus(next, o); next.SetGeneration(next.GetGeneration() + 1)`,
	},
	{
		"finalizers do not hold", "write.go",
		`if grace == 0 && len(next.GetFinalizers()) == 0 {`, `if grace == 0 {`,
	},
	{
		"a write without a change is one", "write.go",
		`if !changed {`, `if false {`,
	},
	{
		"a precondition's UID is not looked at", "rules.go",
		`if p.UID != nil && *p.UID != current.GetUID() {`, `if false {`,
	},
}

// TestMutations holds that TestCluster finds each of the mistakes.
func TestMutations(t *testing.T) {
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			out, err := exec.Command("go", "test", "-overlay="+overlay(t, m), "-vet=off",
				"-run=^TestCluster$", "-rapid.checks=500", "-rapid.shrinktime=0s").CombinedOutput()
			assert.Error(t, err, "no script finds it")
			found := strings.Contains(string(out), "  cluster: ") && strings.Contains(string(out), "  server:  ")
			assert.True(t, found, "it fails for another reason:\n%s", out)
		})
	}
}

// overlay writes the mutation beside the source, as go test -overlay reads it.
func overlay(t *testing.T, m mutation) string {
	source, err := filepath.Abs(filepath.Join("..", m.file))
	require.NoError(t, err)
	text, err := os.ReadFile(source)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), m.right), "%s has changed: mend the mutation", m.file)
	mutant := filepath.Join(t.TempDir(), m.file)
	require.NoError(t, os.WriteFile(mutant, []byte(strings.Replace(string(text), m.right, m.wrong, 1)), 0o600))
	data, err := json.Marshal(map[string]map[string]string{"Replace": {source: mutant}})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	return file
}
