package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// root is the module's directory.
const root = "../../.."

var block = regexp.MustCompile("(?s)```(\\w+)\n(.*?)```")

// certainty is how often replays showed a race again.
var certainty = regexp.MustCompile(`shown again by|of 20 replays`)

// TestReadme runs what README.md tells a newcomer to write, in a module of its own, and looks for what it says will come.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	files, want := map[string]string{}, ""
	for _, m := range block.FindAllStringSubmatch(string(text), -1) {
		if name, code, ok := strings.Cut(strings.TrimPrefix(m[2], "// "), "\n"); ok && m[1] == "go" {
			require.True(t, strings.HasSuffix(name, ".go"), "a snippet of Go begins with the name of its file, or nothing would compile it")
			if strings.Contains(name, "/") {
				checkQuoted(t, name, code)
				continue
			}
			files[name] = m[2]
		} else if m[1] == "text" {
			want = m[2]
		}
	}
	require.GreaterOrEqual(t, len(files), 2)
	dir := newModule(t, "example.com/podcount", files)
	cmd := exec.Command("go", "test", "-race", "./...")
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	require.Error(t, err, "%s", output)
	require.NotEmpty(t, want)
	for line := range strings.Lines(want) {
		if certainty.MatchString(line) {
			continue // the detector may drop one
		}
		require.Contains(t, string(output), strings.TrimSpace(line))
	}
}

// checkQuoted wants what is quoted from a file of this tree to stand there, where it is compiled.
func checkQuoted(t *testing.T, name, code string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	require.Contains(t, string(text), code, "README.md quotes %s", name)
}

// newModule makes a module that requires this one, with the versions that this one has.
func newModule(t *testing.T, path string, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	here, err := filepath.Abs(root)
	require.NoError(t, err)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	text := strings.Replace(string(mod), "module github.com/snapstorm/snapstorm", "module "+path, 1)
	text += "\nrequire github.com/snapstorm/snapstorm v0.0.0\n\nreplace github.com/snapstorm/snapstorm => " + here + "\n"
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("go.mod", text)
	write("go.sum", string(sum))
	for name, text := range files {
		write(name, text)
	}
	return dir
}
