package rules

import (
	"slices"
	"strconv"
	"strings"
)

// border says what a part of the tree may not import.
type border struct {
	dirs      []string // the part, with everything below
	tests     bool     // its test files too
	forbidden func(path string) bool
	mend      string
}

var borders = []border{
	{
		[]string{"sim"}, true,
		within("k8s.io", "sigs.k8s.io", "github.com/kubernetes-csi", module+"/fakes", module+"/monitor"),
		"sim knows nothing of Kubernetes; move what needs it to fakes, or to a test of monitor",
	},
	{
		[]string{"fakes"}, false,
		within(module + "/monitor"),
		"fakes must serve any controller; move what needs the monitor to a test",
	},
	{
		[]string{"monitor", "testdata/example"}, false,
		within(module+"/sim", module+"/fakes"),
		"what is tested is ordinary Go that does not know its simulation; move what needs it to a test",
	},
	{
		[]string{"testdata/generations", "testdata/mutants/hand"}, false,
		func(path string) bool {
			return within(module)(path) && path != module+"/monitor" && !within(module+"/testdata/mutation", module+"/testdata/mutants/hand")(path)
		},
		"what stands in for the monitor is ordinary Go that does not know its simulation; do without",
	},
}

// within returns a function that says whether an import path is one of the roots, or below one.
func within(roots ...string) func(path string) bool {
	return func(path string) bool {
		return slices.ContainsFunc(roots, func(root string) bool { return path == root || strings.HasPrefix(path, root+"/") })
	}
}

// imports checks who imports whom.
func imports(t *tree) []breach {
	var breaches []breach
	for _, f := range t.parsed() {
		for _, b := range borders {
			if f.under(b.dirs...) && !f.isInput() && (b.tests || !f.isTest()) {
				breaches = append(breaches, b.check(t, f)...)
			}
		}
	}
	return breaches
}

func (b border) check(t *tree, f *file) []breach {
	var breaches []breach
	for _, spec := range f.syntax.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && b.forbidden(path) {
			breaches = append(breaches, t.at(spec.Pos(), "imports %s; %s", path, b.mend))
		}
	}
	return breaches
}

var importsProbes = []probe{
	{
		files: map[string]string{
			"sim/a.go":                     "package sim\n\nimport \"k8s.io/api/core/v1\"\nimport \"fmt\"\n",
			"sim/hook/a_test.go":           "package hook\n\nimport \"" + module + "/fakes\"\n",
			"sim/tape/a.go":                "package tape\n\nimport _ \"" + module + "/monitor\"\nimport \"github.com/kubernetes-csi/x\"\n",
			"sim/tape/testdata/a.go":       "package input\n\nimport \"k8s.io/client-go/util/workqueue\"\n",
			"sim/instrument/workqueue.go":  "package instrument\n\nconst queue = \"k8s.io/client-go/util/workqueue\"\n",
			"fakes/a.go":                   "package fakes\n\nimport \"" + module + "/monitor\"\nimport \"" + module + "/sim\"\n",
			"fakes/a_test.go":              "package fakes\n\nimport \"" + module + "/monitor\"\n",
			"monitor/a.go":                 "package monitor\n\nimport (\n\t\"k8s.io/api/core/v1\"\n\t\"" + module + "/sim/hook\"\n)\n",
			"monitor/b.go":                 "package monitor\n\nimport \"" + module + "/fakes\"\n",
			"monitor/a_test.go":            "package monitor\n\nimport \"" + module + "/sim\"\n",
			"testdata/generations/a/a.go":  "package monitor\n\nimport \"" + module + "/sim\"\n",
			"testdata/generations/a/b.go":  "package monitor\n\nimport \"" + module + "/monitor\"\n",
			"testdata/kernels/k/k.go":      "package k\n\nimport \"" + module + "/sim\"\n",
			"testdata/mutants/hand/m/w.go": "package monitor\n\nimport \"" + module + "/fakes\"\n",
		},
		want: []string{
			"fakes/a.go:3", "monitor/a.go:5", "monitor/b.go:3", "sim/a.go:3", "sim/hook/a_test.go:3", "sim/tape/a.go:3",
			"sim/tape/a.go:4", "testdata/generations/a/a.go:3", "testdata/mutants/hand/m/w.go:3",
		},
	},
}
