package instrument

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// subject is a module whose test panics or races in a file that a subject replaces.
var subject = map[string]string{
	"a.go":      "package m\n\nfunc A() int { return removed() }\n",
	"old.go":    "package m\n\nfunc removed() int { return 1 }\n",
	"a_test.go": "package m\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { A() }\n",
}

// run makes a binary of the module and returns what its tests say.
func run(t *testing.T, b Build) (Result, string) {
	t.Helper()
	requireCheckout(t, b.Dir, "example.com/m", "")
	result, err := b.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	said, _ := exec.Command(b.Output, "-test.v").CombinedOutput()
	return result, string(said)
}

func contains(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant in it\n%s", text, want)
		}
	}
}

// A stack names the file that the user can open: the original, or the replacement of a subject.
func TestStacksNameTheUsersFiles(t *testing.T) {
	dir := module(t, subject)
	write(t, filepath.Join(dir, "testdata", "mutant.go"),
		"// Package m panics.\npackage m\n\nfunc A() int {\n\tch := make(chan int)\n\tselect {\n\tcase v := <-ch:\n\t\treturn v\n\tdefault:\n\t\tclose(ch)\n\t}\n\tpanic(added)\n}\n")
	write(t, filepath.Join(dir, "testdata", "more.go"), "package m\n\nconst added = \"oh\"\n")
	b := newBuild(t, dir)
	b.Replace = map[string]string{
		filepath.Join(dir, "a.go"):     filepath.Join(dir, "testdata", "mutant.go"),
		filepath.Join(dir, "more.go"):  filepath.Join(dir, "testdata", "more.go"),
		filepath.Join(dir, "old.go"):   "",
		filepath.Join(dir, "never.go"): "",
	}
	_, said := run(t, b)
	contains(t, said, "panic: oh",
		filepath.Join(dir, "testdata", "mutant.go")+":12 ",
		filepath.Join(dir, "a_test.go")+":5 ")
}

// A race report names the original files, too.
func TestRaceReportsNameTheUsersFiles(t *testing.T) {
	dir := module(t, map[string]string{
		"a.go":      "package m\n\nvar n int\n\nfunc A() {\n\tdone := make(chan bool)\n\tgo func() {\n\t\tn++\n\t\tdone <- true\n\t}()\n\tn++\n\t<-done\n}\n",
		"a_test.go": subject["a_test.go"],
	})
	b := newBuild(t, dir)
	b.Race = true
	result, said := run(t, b)
	contains(t, said, "WARNING: DATA RACE", filepath.Join(dir, "a.go")+":8 ", filepath.Join(dir, "a.go")+":11 ")
	if got, want := strings.Join(result.Packages, " "), "example.com/m"; got != want {
		t.Errorf("packages: got %s, want %s", got, want)
	}
}

// A package without a test gets a TestMain only if the build asks for one.
func TestPackageWithoutTests(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package m\n"})
	requireCheckout(t, dir, "example.com/m", "")
	_, err := newBuild(t, dir).Run(context.Background())
	if err == nil {
		t.Fatal("a package without tests was built")
	}
	contains(t, err.Error(), dir+" made no binary: add a test file, or set Build.Main")
}

func TestMainIsAddedOnce(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"none": {"package m_test\n", false},
		"own":  {"package m\n\nimport \"testing\"\n\nfunc TestMain(m *testing.M) {}\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, map[string]string{"a.go": "package m\n", "a_test.go": test.text})
			prog := loaded(t, newBuild(t, dir))
			if got := prog.hasTestMain(); got != test.want {
				t.Errorf("has a TestMain: got %v, want %v", got, test.want)
			}
			contains(t, prog.testMain().text, "package m_test\n", "sim.Main(m)")
		})
	}
}

// Two builds may share a cache, and even an output.
func TestBuildsAtTheSameTime(t *testing.T) {
	dir := module(t, subject)
	requireCheckout(t, dir, "example.com/m", "")
	b := newBuild(t, dir)
	errs := make(chan error)
	for range 2 {
		go func() {
			_, err := b.Run(context.Background())
			errs <- err
		}()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if said, err := exec.Command(b.Output, "-test.v").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// Files of which the compiler makes more than Go are left alone, and the result says so.
func TestNotes(t *testing.T) {
	dir := module(t, map[string]string{
		"a.go": "package m\n\nimport _ \"unsafe\"\n\n//go:linkname now runtime.nanotime\nfunc now() int64\n\nfunc f(c chan int) { <-c; now() }\n",
		"a.s":  "",
	})
	m, err := instrument(t, newBuild(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(m.notes, "\n"), "a.go is left as it is: it uses go:linkname"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(m.files) != 0 {
		t.Errorf("got %d files, want none", len(m.files))
	}
}

// What belongs to the simulation is not rewritten, and its external tests are.
func TestOwnPackages(t *testing.T) {
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := instrument(t, newBuild(t, dir)); err == nil || !strings.Contains(err.Error(), "no package to instrument") {
		t.Errorf("got %v, want an error: this package has no external tests", err)
	}
	b := newBuild(t, dir)
	added := filepath.Join(t.TempDir(), "x_test.go")
	write(t, added, "package instrument_test\n\nimport \"github.com/snapstorm/snapstorm/sim/instrument\"\n\nvar _ instrument.Build\n")
	b.Replace = map[string]string{filepath.Join(dir, "x_test.go"): added}
	prog := loaded(t, b)
	if got := prog.targets[0].path; len(prog.targets) != 1 || got != simPath+"/instrument_test" {
		t.Errorf("got %d targets, the first %s, want the external test alone", len(prog.targets), got)
	}
}
