package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/snapstorm/snapstorm/sim/internal/atomicfile"
	"github.com/snapstorm/snapstorm/sim/tape"
	"github.com/snapstorm/snapstorm/sim/twin"
)

// regress makes a regression test of a tape.
func regress(args []string) error {
	set := flag.NewFlagSet("regress", flag.ContinueOnError)
	set.SetOutput(new(strings.Builder))
	file := set.String("o", "", "")
	if err := set.Parse(args); err != nil {
		return fmt.Errorf("%w\n%s", err, usage)
	}
	if set.NArg() != 1 {
		return fmt.Errorf("want one tape\n%s", usage)
	}
	path, err := twin.InModule(set.Arg(0))
	if err != nil {
		return err
	}
	t, err := tape.Read(path)
	if err != nil {
		return err
	}
	dirs, err := packageDirs([]string{t.Package})
	if err != nil {
		return fmt.Errorf("%s is a tape of package %s, to be played in the module of that: %w", path, t.Package, err)
	}
	r := regressionTest{tape: t, dir: dirs[0], file: *file}
	if err := r.look(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return r.write()
}

// regressionTest is the test that a tape becomes.
type regressionTest struct {
	tape *tape.Tape
	dir  string // of the package
	file string // to be written; "" for printing
	pkg  string // name of the package that the test which found it is in
	root string // that test's function
	name string // of the new one
}

// look finds the test that the tape is of, and a name that is free.
func (r *regressionTest) look() error {
	files, err := filepath.Glob(filepath.Join(r.dir, "*_test.go"))
	if err != nil {
		return err
	}
	r.root, _, _ = strings.Cut(r.tape.Test, "/")
	taken := map[string]bool{}
	fset := token.NewFileSet()
	for _, name := range files {
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil {
				if taken[d.Name.Name] = true; d.Name.Name == r.root {
					r.pkg = f.Name.Name
				}
			}
		}
	}
	switch {
	case r.pkg == "":
		return fmt.Errorf("no test file of %s has a function %s any more, and that is whose tape it is: give it back, or find a new tape", r.dir, r.root)
	case r.fuzzed() && r.file != "":
		return fmt.Errorf("-o %s: it is of %s, which plays what lies in testdata/tapes by itself: leave -o out", r.file, r.root)
	}
	r.chooseName(taken)
	return nil
}

// fuzzed says whether the tape is of a fuzz test, which needs no other test to play it.
func (r *regressionTest) fuzzed() bool { return strings.HasPrefix(r.root, "Fuzz") }

// chooseName makes a name of the test's and the kind of the finding.
func (r *regressionTest) chooseName(taken map[string]bool) {
	kind := r.tape.Kind
	if r.tape.Property != "" {
		kind = r.tape.Property
	}
	name := camel(r.tape.Test) + camel(kind)
	if r.fuzzed() {
		name = r.root + camel(kind) // its inputs have no names
	}
	r.name = name
	for i := 2; taken[r.name] || r.others(filepath.Join(r.dir, r.tapeFile())); i++ {
		r.name = fmt.Sprint(name, i)
	}
}

// others says whether a file is there that is not of this finding, and so must stay as it is.
func (r *regressionTest) others(path string) bool {
	if !exists(path) {
		return false
	}
	old, err := tape.Read(path)
	t := r.tape
	return r.fuzzed() || err != nil || old.Seed != t.Seed || old.Schedule != t.Schedule || old.Kind != t.Kind || old.Place != t.Place
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// camel joins the words of a text.
func camel(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		first := []rune(w)
		first[0] = unicode.ToUpper(first[0])
		words[i] = string(first)
	}
	return strings.Join(words, "")
}

// write writes the tape, as short as can be, and prints or writes the test.
func (r *regressionTest) write() error {
	if r.file != "" {
		if err := r.checkFile(); err != nil {
			return err
		}
	}
	path := filepath.Join(r.dir, filepath.FromSlash(r.tapeFile()))
	if err := errors.Join(r.tape.Write(path), r.shrink(path)); err != nil {
		return err
	}
	race := ""
	if r.tape.Race {
		race = "-race "
	}
	plays := r.name
	if r.fuzzed() {
		plays = r.root
	}
	fmt.Fprintf(os.Stderr, "snapstorm: the tape is %s; run the test with: go test %s-run '^%s$' %s\n", path, race, plays, r.tape.Package)
	if r.fuzzed() {
		return nil
	}
	return r.writeTest()
}

// shrink shrinks the written tape, if that was not done when it was found: the engine of -fuzz leaves it out. Where it cannot be
// done, which is told, the tape stays as it is.
func (r *regressionTest) shrink(path string) error {
	if r.tape.Shrunk != "" || r.tape.BySeed || r.tape.Kind == "nondeterminism" || r.tape.Kind == "hang" {
		return nil
	}
	if _, err := replayTo(os.Stderr, []string{path}, "-sim.rewrite"); err != nil {
		return err
	}
	shrunk, err := tape.Read(path)
	if err == nil {
		r.tape = shrunk
	}
	return err
}

func (r *regressionTest) writeTest() error {
	text, err := format.Source([]byte(r.text()))
	if err != nil {
		return fmt.Errorf("the test that was made is not correct Go: %w\n%s", err, r.text())
	}
	if r.file != "" {
		return atomicfile.Write(r.file, text)
	}
	_, test, _ := strings.Cut(string(text), importsEnd)
	fmt.Print(test)
	return nil
}

// checkFile wants a new file that is a test file of the package.
func (r *regressionTest) checkFile() error {
	path, err := filepath.Abs(r.file)
	if err != nil {
		return err
	}
	if filepath.Dir(path) != r.dir || !strings.HasSuffix(path, "_test.go") {
		return fmt.Errorf("-o %s: want a file of %s whose name ends in _test.go", r.file, r.dir)
	}
	if exists(path) {
		return fmt.Errorf("-o %s: it is there already: name a new file, or leave -o out and paste the test into it", r.file)
	}
	return nil
}

func (r *regressionTest) tapeFile() string { return "testdata/tapes/" + r.name + ".tape" }

// importsEnd ends what goes before the test in a file of its own.
const importsEnd = ")\n"

// text is the test, in a file of its own.
func (r *regressionTest) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\"testing\"\n\n\"github.com/snapstorm/snapstorm/sim\"\n%s\n", r.pkg, importsEnd)
	fmt.Fprintf(&b, "// %s plays a schedule of %s, and fails as long as it shows something wrong. It once showed this:\n//\n", r.name, r.tape.Test)
	fmt.Fprintf(&b, "//\t%s\n", r.tape.Summary)
	if r.tape.Drawn != "" {
		fmt.Fprintf(&b, "//\n// The scenario was drawn as %s.\n", r.tape.Drawn)
	}
	switch story := r.tape.Story(); {
	case r.tape.BySeed:
		fmt.Fprintf(&b, "//\n// Its choices are not known one by one, so the tape is a seed, and of use only while the code stays much as it is.\n")
	case len(story) == 0:
		b.WriteString("//\n// No choice is needed for it: whoever runs goes on until it has to wait, and nothing else goes wrong.\n")
	default:
		fmt.Fprintf(&b, "//\n// These choices make it:\n//\n//\t%s\n", strings.Join(story, "\n//\t"))
	}
	fmt.Fprintf(&b, "func %s(t *testing.T) {\n\tsim.Regression(t, %q, %s)\n}\n", r.name, r.tapeFile(), r.root)
	return b.String()
}
