package instrument

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// constructs copies the module with every construct to a directory of its own. It requires this checkout and has the
// same requirements, so that nothing is downloaded.
func constructs(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	copyTree(t, "testdata", root)
	write(t, filepath.Join(root, "foreign", "go.mod"), "module example.com/foreign\n\ngo 1.26.0\n")
	dir := filepath.Join(root, "constructs")
	requireCheckout(t, dir, "example.com/constructs",
		"require example.com/foreign v0.0.0\n\nreplace example.com/foreign => ../foreign\n")
	return dir
}

// requireCheckout writes the go.mod and go.sum of a module that uses this checkout.
func requireCheckout(t *testing.T, dir, path, more string) {
	t.Helper()
	checkout, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	own := read(t, filepath.Join(checkout, "go.mod"))
	_, requirements, _ := strings.Cut(own, "\n")
	requirements = regexp.MustCompile(`(?m)^tool .*\n`).ReplaceAllString(requirements, "") // it would vendor all of ours
	write(t, filepath.Join(dir, "go.mod"), "module "+path+"\n"+requirements+
		"\nrequire "+ownModule+" v0.0.0\n\nreplace "+ownModule+" => "+checkout+"\n\n"+more)
	write(t, filepath.Join(dir, "go.sum"), read(t, filepath.Join(checkout, "go.sum")))
}

// module writes a module of one package, from file names and their texts.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
