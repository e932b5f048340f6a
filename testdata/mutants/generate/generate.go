package generate

import (
	"fmt"
	"go/ast"
	"path/filepath"
)

// Mutant is a package with one mistake.
type Mutant struct {
	Name  string            // the operator, the function, and a number from the second one on that these two have
	Does  string            // what is wrong with it
	Place string            // file:line
	Race  bool              // only the race detector sees it
	Files map[string]string // the changed file's whole text, by its name
}

// All returns the mutants of the package in a directory, in an order that depends on its source alone.
func All(dir string) ([]Mutant, error) {
	s, err := load(dir)
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, o := range operators {
		all = append(all, s.mutants(o)...)
	}
	return all, nil
}

// mutants are those of one operator.
func (s *source) mutants(o operator) []Mutant {
	var all []Mutant
	for _, file := range s.files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			f, count := &function{source: s, file: file, decl: decl}, 0
			f.yield = func(edits ...edit) {
				count++
				name := o.name + " " + f.name()
				if count > 1 {
					name += fmt.Sprint(" ", count)
				}
				all = append(all, Mutant{name, o.does, f.place(edits), o.race, map[string]string{filepath.Base(s.path(file)): f.edited(edits)}})
			}
			o.find(f)
		}
	}
	return all
}
