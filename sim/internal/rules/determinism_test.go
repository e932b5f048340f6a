package rules

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
)

// ban forbids names of a package in a part of the tree.
type ban struct {
	dirs []string               // the part, with everything below
	path string                 // import path
	bad  func(name string) bool // nil: all, and the import is a breach in itself
	mend string
}

var (
	pure   = []string{"sim/sched", "sim/hook", "sim/explore", "sim/tape", "sim/instrument", "fakes"}
	purest = []string{"sim/explore", "sim/tape", "sim/instrument"}

	// generators are the names of math/rand/v2 that have to do with a generator of one's own.
	generators = []string{"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "Source", "PCG", "ChaCha8", "Zipf"}
)

var bans = []ban{
	{
		pure, "math/rand", nil,
		"math/rand promises no stable stream; take a generator of math/rand/v2 that is seeded from the world's seed",
	},
	{
		pure, "math/rand/v2", func(name string) bool { return !slices.Contains(generators, name) },
		"no seed replays the global generator; take rand.New with a source that is seeded from the world's seed",
	},
	{
		pure, "os", oneOf("Getenv", "LookupEnv", "Environ", "ExpandEnv"),
		"the environment is read in the command only; take what it says as an argument",
	},
	{
		purest, "time", oneOf("Now", "Since", "Until"),
		"a result must not depend on the wall clock; count steps, or take the time as an argument",
	},
}

func oneOf(names ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(names, name) }
}

// determinism checks that nothing but a seed and a tape decides what a world does.
func determinism(t *tree) []breach {
	var breaches []breach
	for _, f := range t.parsed() {
		for _, b := range bans {
			if f.under(b.dirs...) && !f.isInput() && !f.isTest() {
				breaches = append(breaches, b.check(t, f)...)
			}
		}
	}
	slices.SortStableFunc(breaches, func(a, b breach) int {
		if a.file != b.file {
			return strings.Compare(a.file, b.file)
		}
		return a.line - b.line
	})
	return breaches
}

// check looks for uses of the package by whatever name a file imports it. A dot for a name would hide the uses and is a
// breach, too.
func (b ban) check(t *tree, f *file) []breach {
	var breaches []breach
	for _, spec := range f.syntax.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != b.path {
			continue
		}
		if name := localName(spec); name == "." || b.bad == nil {
			breaches = append(breaches, t.at(spec.Pos(), "imports %s; %s", b.path, b.mend))
		} else {
			breaches = append(breaches, b.uses(t, f, name)...)
		}
	}
	return breaches
}

// uses returns the uses of bad names of a package that is imported by that name.
func (b ban) uses(t *tree, f *file, name string) []breach {
	var breaches []breach
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == name && b.bad(sel.Sel.Name) {
			breaches = append(breaches, t.at(sel.Pos(), "uses %s.%s; %s", b.path, sel.Sel.Name, b.mend))
		}
		return true
	})
	return breaches
}

// localName returns the name by which a file knows a package.
func localName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	importPath, _ := strconv.Unquote(spec.Path.Value)
	if base := path.Base(importPath); base != "v2" {
		return base
	}
	return path.Base(path.Dir(importPath))
}

var determinismProbes = []probe{
	{
		files: map[string]string{
			"fakes/a.go":              "package fakes\n\nimport \"math/rand\"\n",
			"fakes/a_test.go":         "package fakes\n\nimport \"math/rand\"\n",
			"sim/sched/a.go":          "package sched\n\nimport \"math/rand/v2\"\n\nvar a = rand.IntN(3)\nvar b = rand.New(rand.NewPCG(1, 2)).IntN(3)\n",
			"sim/hook/a.go":           "package hook\n\nimport r \"math/rand/v2\"\n\nvar f = r.Uint64\n",
			"sim/hook/b.go":           "package hook\n\nimport . \"math/rand/v2\"\n\nvar f = Uint64\n",
			"sim/explore/a.go":        "package explore\n\nimport (\n\t\"os\"\n\t\"time\"\n)\n\nvar a = time.Now()\nvar b = os.Getenv(\"A\")\nvar c = os.Args\n",
			"sim/tape/a.go":           "package tape\n\nimport \"os\"\n\nvar a, _ = os.LookupEnv(\"A\")\nvar b = os.Environ()\n",
			"sim/instrument/a/b.go":   "package a\n\nimport wall \"time\"\n\nvar a = wall.Since(b)\n",
			"sim/tape/testdata/in.go": "package in\n\nimport \"math/rand\"\n",
			"sim/sched/time.go":       "package sched\n\nimport \"time\"\n\nvar a = time.Now()\n",
			"sim/worker.go":           "package sim\n\nimport \"os\"\n\nvar a = os.Environ()\n",
		},
		want: []string{
			"fakes/a.go:3", "sim/explore/a.go:8", "sim/explore/a.go:9", "sim/hook/a.go:5", "sim/hook/b.go:3",
			"sim/instrument/a/b.go:5", "sim/sched/a.go:5", "sim/tape/a.go:5", "sim/tape/a.go:6",
		},
	},
}
