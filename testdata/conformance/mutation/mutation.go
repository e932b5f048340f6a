// Package mutation breaks package fakes on purpose, so that it can be shown that its conformance test notices. A mutation
// changes a copy of the source; an overlay of the go command puts the copy in the place of the original.
package mutation

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Mutation is one deliberate mistake.
type Mutation struct {
	Name  string
	Edits []Edit
}

// Edit replaces a text that occurs once in a file of package fakes.
type Edit struct{ File, Old, New string }

// unjudged takes away the judge of each handler, which would end a mutated informer before the comparison is done.
var unjudged = Edit{"listener.go", "if breach := l.judge.begin(n); breach != \"\" {", "if breach := \"\"; breach != \"\" {"}

// Apply returns the changed files of the package in a directory, by name.
func (m Mutation) Apply(dir string) (map[string]string, error) {
	changed := map[string]string{}
	edits := m.Edits
	if len(edits) > 0 {
		edits = append([]Edit{unjudged}, edits...)
	}
	for _, e := range edits {
		text, ok := changed[e.File]
		if !ok {
			data, err := os.ReadFile(filepath.Join(dir, e.File))
			if err != nil {
				return nil, err
			}
			text = string(data)
		}
		if n := strings.Count(text, e.Old); n != 1 {
			return nil, fmt.Errorf("%s: the text to be replaced occurs %d times in %s, which must be once: bring the mutation up to date:\n%s", m.Name, n, e.File, e.Old)
		}
		changed[e.File] = strings.Replace(text, e.Old, e.New, 1)
	}
	return changed, nil
}

// plainMain stands in for the TestMain of package fakes, which would build an instrumented twin from the original source.
const plainMain = `package fakes_test

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(m.Run()) }
`

// Overlay writes the changed files and an overlay for the go command to a scratch directory, and returns the path of the
// overlay. The tests of the package then run as plain ones.
func (m Mutation) Overlay(dir, scratch string) (string, error) {
	files, err := m.Apply(dir)
	if err != nil {
		return "", err
	}
	files["main_test.go"] = plainMain
	replace := map[string]string{}
	for name, text := range files {
		original, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		replace[original] = filepath.Join(scratch, name)
		if err := os.WriteFile(replace[original], []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(scratch, "overlay.json")
	return path, os.WriteFile(path, text, 0o644)
}
