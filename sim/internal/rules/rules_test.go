package rules

import (
	"os"
	"slices"
	"testing"
	"testing/fstest"
)

// rule finds its breaches in a tree, in the order of files and lines.
type rule struct {
	name   string
	check  func(*tree) []breach
	probes []probe
}

// probe is a tree, by path, and where the rule is broken in it, as "file:line", or as "file" for a file as a whole.
type probe struct {
	files map[string]string
	want  []string
}

var rules = []rule{
	{"toplevel", topLevel, topLevelProbes},
	{"imports", imports, importsProbes},
	{"size", size, sizeProbes},
	{"docs", docs, docsProbes},
	{"determinism", determinism, determinismProbes},
	{"names", names, namesProbes},
	{"unfinished", unfinished, unfinishedProbes},
	{"format", gofmt, gofmtProbes},
	{"readme", readme, readmeProbes},
	{"paths", paths, pathsProbes},
}

// TestTree checks this checkout.
func TestTree(t *testing.T) {
	tree, err := read(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, b := range r.check(tree) {
				t.Error(b)
			}
		})
	}
}

// TestProbes checks the rules themselves.
func TestProbes(t *testing.T) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			if !slices.ContainsFunc(r.probes, func(p probe) bool { return len(p.want) > 0 }) {
				t.Error("no probe breaks this rule, so nothing shows that it can fail; write one")
			}
			for i, p := range r.probes {
				if got := p.run(t, r); !slices.Equal(got, p.want) {
					t.Errorf("probe %d:\n got %v\nwant %v", i, got, p.want)
				}
			}
		})
	}
}

// run returns the places of the breaches that a rule finds in the probe.
func (p probe) run(t *testing.T, r rule) []string {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range p.files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := read(fsys)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range r.check(tree) {
		got = append(got, b.where())
	}
	return got
}
