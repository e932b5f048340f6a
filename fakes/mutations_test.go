package fakes

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/snapstorm/snapstorm/testdata/conformance/breaks"
	"github.com/snapstorm/snapstorm/testdata/mutation"
)

// Each mistake that make conformance plants still has its place in the source.
// That the conformance test notices them is shown there, for each is a build of
// its own.
func TestMutationsFit(t *testing.T) {
	for _, m := range breaks.All() {
		files, err := m.Apply(".")
		require.NoError(t, err)
		for name, text := range files {
			_, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
			require.NoError(t, err, m.Name)
		}
	}
	lost := mutation.Mutation{Name: "lost", Edits: []mutation.Edit{{File: "apply.go", Old: "what is not there"}}}
	_, err := lost.Apply(".")
	require.ErrorContains(t, err, "bring the mutation up to date")
}
