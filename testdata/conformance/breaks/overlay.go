// Package breaks has mistakes to plant in package fakes, one at a time, so that it can be shown that its conformance test
// notices. An overlay of the go command puts the changed files in the place of the originals.
package breaks

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/snapstorm/snapstorm/testdata/mutation"
)

// unjudged takes away the judge of each handler, which would end a mutated informer before the comparison is done.
var unjudged = mutation.Edit{File: "listener.go", Old: "if breach := l.judge.begin(n); breach != \"\" {", New: "if breach := \"\"; breach != \"\" {"}

// plainMain stands in for the TestMain of package fakes, which would build an instrumented twin from the original source.
const plainMain = `package fakes_test

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(m.Run()) }
`

// Overlay writes the changed files of the package in a directory and an overlay for the go command to a scratch directory,
// and returns the path of the overlay. The tests of the package then run as plain ones.
func Overlay(m mutation.Mutation, dir, scratch string) (string, error) {
	replace, err := m.Write(dir, scratch)
	if err != nil {
		return "", err
	}
	original, err := filepath.Abs(filepath.Join(dir, "main_test.go"))
	if err != nil {
		return "", err
	}
	replace[original] = filepath.Join(scratch, "main_test.go")
	if err := os.WriteFile(replace[original], []byte(plainMain), 0o644); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(scratch, "overlay.json")
	return path, os.WriteFile(path, text, 0o644)
}
