package generate

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/golden.txt anew")

// TestOperators: each operator finds its shape in a small program, and makes one line of it another one, as the golden file
// has it.
func TestOperators(t *testing.T) {
	all, err := All("testdata/shapes")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/shapes/shapes.go")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, m := range all {
		fmt.Fprintf(&got, "%s\n%s", m.Name, difference(string(text), m.Files["shapes.go"]))
	}
	const golden = "testdata/golden.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got.String() != string(want) {
		t.Errorf("got another text than %s (%v), which -update writes anew:\n%s", golden, err, got.String())
	}
	for _, o := range operators {
		if !slices.ContainsFunc(all, func(m Mutant) bool { return strings.HasPrefix(m.Name, o.name+" ") }) {
			t.Errorf("operator %s finds nothing in testdata/shapes", o.name)
		}
	}
}

// difference is what lies between the lines at which two texts begin and cease to differ.
func difference(was, is string) string {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var out strings.Builder
	for _, line := range a {
		out.WriteString("\t- " + strings.TrimSpace(line) + "\n")
	}
	for _, line := range b {
		out.WriteString("\t+ " + strings.TrimSpace(line) + "\n")
	}
	return out.String()
}

func TestWhatDoesNotCompileIsNotBroken(t *testing.T) {
	empty, broken := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/broken\n", "broken.go": "package broken\n\nvar x int = true\n"} {
		if err := os.WriteFile(filepath.Join(broken, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{empty: "no package", broken: "must compile"} {
		if _, err := All(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}
