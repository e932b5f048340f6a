package instrument

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every token of a copied library keeps its line, and the interfaces of a copy are the original's.
func TestCopies(t *testing.T) {
	prog := loaded(t, newBuild(t, constructs(t)))
	m, err := prog.instrument()
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, file := range m.files {
		texts[file.path] = file.text
	}
	all := ""
	for _, library := range copiedLibraries {
		if prog.copies[library] == nil {
			t.Errorf("there is no copy of %s", library)
			continue
		}
		for _, s := range prog.copies[library].sources {
			all += texts[s.path]
			for _, moved := range movedTokens(string(s.text), texts[s.path]) {
				t.Errorf("%s: %s", s.site, moved)
			}
		}
	}
	contains(t, all,
		"\ntype Ticker = snaporiginal.Ticker; type _ interface {\n",
		"\ntype Interface = snaporiginal.Interface; type _ TypedInterface[any]\n",
		"\ntype TypedRateLimiter[T comparable] = snaporiginal.TypedRateLimiter[T]; type _[T comparable] interface {\n",
		"\ntype queueMetrics[T comparable] interface {\n",
		"clock \"example.com/constructs/snapstorm_copy/clock\"\n",
		"snaphook.NewTicker(d, ")
}

// library is a stand-in for golang.org/x/sync, and a module that uses it.
func library(t *testing.T, errgroup string) Build {
	t.Helper()
	dir := module(t, map[string]string{
		"sync/go.mod":               "module golang.org/x/sync\n\ngo 1.26.0\n",
		"sync/errgroup/errgroup.go": errgroup,
		"sync/internal/part/p.go":   "package part\n\nfunc P() {}\n",
		"m/go.mod":                  "module example.com/m\n\ngo 1.26.0\n\nrequire golang.org/x/sync v0.0.0\n\nreplace golang.org/x/sync => ../sync\n",
		"m/a.go":                    "package m\n\nimport \"golang.org/x/sync/errgroup\"\n\nvar A errgroup.Shared\n",
	})
	return newBuild(t, filepath.Join(dir, "m"))
}

// A library that imports an internal package cannot stand elsewhere.
func TestLibraryWithInternalPackage(t *testing.T) {
	b := library(t, "package errgroup\n\nimport (\n\t\"golang.org/x/sync/internal/part\"\n)\n\ntype Shared interface{}\n\nvar _ = part.P\n")
	_, err := instrument(t, b)
	if err == nil {
		t.Fatal("got no error")
	}
	contains(t, err.Error(), "errgroup.go:4: a copy of golang.org/x/sync/errgroup, which imports the internal package golang.org/x/sync/internal/part,"+
		" is not supported yet: require another version of module golang.org/x/sync")
}

// An interface is shared only if nothing in it has a copy of its own.
func TestSharedInterfaces(t *testing.T) {
	b := library(t, `package errgroup

type own struct{}

type (
	Shared  interface{ M(map[string][]Other) error }
	Other   interface{ M(func() <-chan *int) }
	Named   Other
	Names   interface{ M(func(...[]own)) }
	Through interface{ Names }
	Hidden  interface{ m() }
	Union   interface{ int | string }
	Alias   = interface{ M() }
	small   interface{ M() }
)
`)
	prog := loaded(t, b)
	var shared []string
	for obj := range sharedInterfaces(prog.copies["golang.org/x/sync/errgroup"].types) {
		shared = append(shared, obj.Name())
	}
	m, err := prog.instrument()
	if err != nil {
		t.Fatal(err)
	}
	text := m.files[len(m.files)-1].text
	contains(t, text, "\tShared = snaporiginal.Shared; _  interface{ M(map", "\tOther = snaporiginal.Other; _   inter", "\tNamed = snaporiginal.Named; _   Other\n")
	if got := strings.Count(text, "snaporiginal."); got != 3 || len(shared) != 3 {
		t.Errorf("got %d aliases and shared %v, want 3 in\n%s", got, shared, text)
	}
}

func TestDirectoryOfCopiesExists(t *testing.T) {
	b := library(t, "package errgroup\n\ntype Shared interface{}\n")
	write(t, filepath.Join(b.Dir, "snapstorm_copy", "x.go"), "package x\n")
	_, err := instrument(t, b)
	if err == nil {
		t.Fatal("got no error")
	}
	contains(t, err.Error(), filepath.Join(b.Dir, "snapstorm_copy")+" exists, and copies of libraries would appear there: rename it")
}

// A value of a copied library that goes to a library which uses the original is an error that says so.
func TestCopyHandedToLibrary(t *testing.T) {
	dir := constructs(t)
	write(t, filepath.Join(filepath.Dir(dir), "foreign", "group.go"),
		"package foreign\n\nimport \"golang.org/x/sync/errgroup\"\n\n// Use needs the original.\nfunc Use(*errgroup.Group) {}\n")
	write(t, filepath.Join(dir, "group.go"),
		"package constructs\n\nimport (\n\t\"example.com/foreign\"\n\t\"golang.org/x/sync/errgroup\"\n)\n\nfunc use() { foreign.Use(new(errgroup.Group)) }\n")
	_, err := newBuild(t, dir).Run(context.Background())
	if err == nil {
		t.Fatal("got no error")
	}
	contains(t, err.Error(), "hand a value of a copied library to a library that is not instrumented", "group.go:8:")
}

// In a world the goroutines, waits and timers of the copies are the scheduler's: each schedule is the same twice, and none
// finds anything that is not there.
func TestWorld(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package m\n", "a_test.go": read(t, filepath.Join("testdata", "world", "world_test.go"))})
	requireCheckout(t, dir, "example.com/m", "")
	cmd := exec.Command("go", "test", "-race", "-vet=off", "-v", ".")
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(said), "--- PASS: ") < 8 {
		t.Errorf("%v\n%s", err, said)
	}
}
