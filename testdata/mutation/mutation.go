// Package mutation breaks a package on purpose, so that it can be shown that its tests notice. A mutation changes a copy of
// the source.
package mutation

import (
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

// Edit replaces a text that occurs once in a file of the package.
type Edit struct{ File, Old, New string }

// Apply returns the changed files of the package in a directory, by name.
func (m Mutation) Apply(dir string) (map[string]string, error) {
	changed := map[string]string{}
	for _, e := range m.Edits {
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

// Write writes the changed files of the package in a directory to another one, and returns their names there by their
// names here, which are absolute.
func (m Mutation) Write(dir, to string) (map[string]string, error) {
	files, err := m.Apply(dir)
	if err != nil {
		return nil, err
	}
	written := map[string]string{}
	for name, text := range files {
		original, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		written[original] = filepath.Join(to, name)
		if err := os.WriteFile(written[original], []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return written, nil
}
