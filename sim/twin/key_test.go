package twin

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSubjectOnABase: a subject's files lie over those of its base, which lie over the package's.
func TestSubjectOnABase(t *testing.T) {
	module := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "", "first/a.go": "", "first/b.go": "", "second/b.go": "", "second/c.go": "", "second/base": "../first\n",
		"third/a.go": "", "third/base": "../second", "fourth/a.go": "", "fourth/base": "../none",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(module, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(module, name), []byte(text), 0o644))
	}
	s, err := Request{Dir: module, Subject: "second"}.subject()
	require.NoError(t, err)
	want := map[string]string{}
	for name, from := range map[string]string{"a.go": "first", "b.go": "second", "c.go": "second"} {
		want[filepath.Join(module, name)] = filepath.Join(module, from, name)
	}
	assert.Equal(t, want, s.replace)

	_, err = Request{Dir: module, Subject: "third"}.subject()
	assert.ErrorContains(t, err, "which has a base itself")
	_, err = Request{Dir: module, Subject: "fourth"}.subject()
	assert.ErrorContains(t, err, "there are no Go files")
}
