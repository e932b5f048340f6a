package monitor_test

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/snapstorm/snapstorm/testdata/mutants/hand"
)

// TestMutantsFit: each mistake that make mutants plants has its place in the source, and each guarantee has a mutant that
// nothing else is to catch.
func TestMutantsFit(t *testing.T) {
	caught := map[string]bool{}
	for _, m := range hand.All() {
		files, err := m.Apply(".")
		if err != nil {
			t.Error(err)
		}
		for name, text := range files {
			if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
		}
		caught[m.CaughtBy] = caught[m.CaughtBy] || m.Only
	}
	for _, g := range append(ofWrites, noResidue) {
		if !caught[g.name] {
			t.Errorf("no mutant is to be caught by %s alone", g.name)
		}
	}
}
