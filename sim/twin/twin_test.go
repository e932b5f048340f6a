package twin

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPruneLeavesWhatIsInUse: a run may take long, and others build meanwhile. What was used lately stays, however many twins
// there are; of the others, those go that were used longest ago.
func TestPruneLeavesWhatIsInUse(t *testing.T) {
	dir := t.TempDir()
	path := func(i int) string { return filepath.Join(dir, fmt.Sprintf("twin-%02d", i), "test") }
	for i := range maxTwins + 5 {
		require.NoError(t, os.MkdirAll(filepath.Dir(path(i)), 0o755))
		old := time.Now().Add(-2*inUse + time.Duration(i)*time.Second)
		require.NoError(t, os.Chtimes(filepath.Dir(path(i)), old, old))
	}
	require.NoError(t, Use(path(1)))
	require.NoError(t, prune(dir))
	for i, want := range map[int]bool{0: false, 1: true, 2: false, 5: false, 6: true, maxTwins + 4: true} {
		_, err := os.Stat(filepath.Dir(path(i)))
		assert.Equal(t, want, err == nil, "twin %d", i)
	}
	for i := range maxTwins + 5 {
		require.NoError(t, os.MkdirAll(filepath.Dir(path(i)), 0o755))
		require.NoError(t, Use(path(i)))
	}
	require.NoError(t, prune(dir))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, maxTwins+5)
}
