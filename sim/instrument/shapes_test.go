package instrument

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// shape is a build of a module of an unusual shape, and what of it is instrumented.
type shape struct {
	archive  string // in testdata/shapes
	dir      string // of the package under test
	flags    []string
	vendor   bool
	packages string
	sites    int
	notes    []string
}

const inModuleArchive = "example.com/shapes/assembled example.com/shapes/cgo example.com/shapes/internal/part" +
	" example.com/shapes/linked example.com/shapes/odd-dir example.com/shapes/odd-dir_test"

var leftAlone = []string{
	"cgo/cgo.go is left as it is: it imports \"C\"",
	"linked/linked.go is left as it is: it uses go:linkname",
}

var shapes = map[string]shape{
	"module":  {archive: "module", dir: "odd-dir", packages: inModuleArchive, sites: 16, notes: leftAlone},
	"tags":    {archive: "command", flags: []string{"-tags=special"}, packages: "example.com/shapes", sites: 6},
	"command": {archive: "command", packages: "example.com/shapes", sites: 4},
	"work": {archive: "work", sites: 32,
		packages: "example.com/other example.com/shapes example.com/shapes/snapstorm_copy/errgroup"},
	"vendor": {archive: "vendor", vendor: true, sites: 50,
		packages: "example.com/shapes example.com/shapes/snapstorm_copy/singleflight"},
}

// A module of any shape says the same, instrumented, as plain, and all of it that can be is instrumented.
func TestShapes(t *testing.T) {
	for name, s := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := s.build(t)
			result, err := b.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			plain := lines(t, b.Dir, "go", append([]string{"test", "-vet=off", "-v"}, append(s.flags, ".")...)...)
			if got := lines(t, b.Dir, b.Output, "-test.v"); got != plain || got == "" {
				t.Errorf("instrumented:\n%s\nplain:\n%s", got, plain)
			}
			if got := strings.Join(result.Packages, " "); got != s.packages {
				t.Errorf("packages: got %s, want %s", got, s.packages)
			}
			if result.Sites != s.sites {
				t.Errorf("got %d sites, want %d", result.Sites, s.sites)
			}
			if !slices.Equal(result.Notes, s.notes) {
				t.Errorf("notes: got %q, want %q", result.Notes, s.notes)
			}
		})
	}
}

// What is wrong with a module is told in words that help.
func TestErrorsOfShapes(t *testing.T) {
	for name, test := range map[string]struct {
		shape    shape
		file     string // in the module, of which a piece is replaced
		old, new string
		want     string
	}{
		"no hooks in vendor": {shape{archive: "vendor", vendor: true}, "a_test.go", "\t_ \"" + hookPath + "\"\n", "",
			"lacks snapstorm: import github.com/snapstorm/snapstorm/sim in a test file and run go mod vendor"},
		"stale go.mod":  {shape{archive: "command"}, "go.mod", "\ngo 1.26.0\n", "\ngo 1.26.0\n\ntoolchain go1.26.0\n", "go: updates to go.mod needed"},
		"nested module": {shape{archive: "module", dir: "nested"}, "go.mod", "", "", "nested does not require snapstorm: run go get " + ownModule},
	} {
		t.Run(name, func(t *testing.T) {
			root := test.shape.unpack(t)
			path := filepath.Join(root, test.file)
			write(t, path, strings.Replace(read(t, path), test.old, test.new, 1))
			if test.shape.vendor {
				vendor(t, root)
			}
			_, err := newBuild(t, filepath.Join(root, test.shape.dir)).Run(context.Background())
			if err == nil {
				t.Fatal("got no error")
			}
			contains(t, err.Error(), test.want)
		})
	}
}

func (s shape) build(t *testing.T) Build {
	t.Helper()
	root := s.unpack(t)
	b := newBuild(t, filepath.Join(root, s.dir))
	b.Flags = s.flags
	if s.vendor {
		vendor(t, root)
	}
	return b
}

// unpack writes the archive to a directory of the test. A go.mod without a go line gets what uses this checkout.
func (s shape) unpack(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "shapes")
	archive, err := txtar.ParseFile(filepath.Join("testdata", "shapes", s.archive+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.Files {
		path, text := filepath.Join(root, file.Name), string(file.Data)
		if filepath.Base(path) == "go.mod" && !strings.Contains(text, "\ngo ") {
			first, more, _ := strings.Cut(text, "\n")
			requireCheckout(t, filepath.Dir(path), strings.TrimPrefix(first, "module "), more)
			continue
		}
		write(t, path, text)
	}
	return root
}

func vendor(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command("go", "mod", "vendor")
	cmd.Dir = dir
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}
