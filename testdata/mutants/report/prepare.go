package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/snapstorm/snapstorm/testdata/internal/runs"
	"github.com/snapstorm/snapstorm/testdata/mutants/schemata"
)

// prepare builds the test binaries: one for all mutants that change bodies of functions only, and one for each other.
func prepare(all []*subject) error {
	runner, err := runs.New(filepath.Join(work, "generations"))
	if err != nil {
		return err
	}
	var together []*subject
	var mutants []schemata.Mutant
	for i, s := range all {
		switch {
		case s.flaw != nil:
			s.runner = runner
		case s.dir == "" && (s.name == monitor || schemata.Fits("monitor", s.mutant()) == nil):
			if together = append(together, s); s.name != monitor {
				mutants = append(mutants, s.mutant())
				s.number = len(mutants)
			}
		default:
			if err := alone(s, i); err != nil {
				return err
			}
		}
	}
	if len(mutants) == 0 {
		return nil
	}
	dir, err := empty("together")
	if err != nil {
		return err
	}
	if err := schemata.Write("monitor", dir, mutants); err != nil {
		return err
	}
	b, err := build(dir, slices.ContainsFunc(together, func(s *subject) bool {
		return slices.ContainsFunc(s.stages, func(r run) bool { return r.Race })
	}))
	for _, s := range together {
		s.bench = b
	}
	return err
}

// alone builds the test binary of one mutant.
func alone(s *subject, number int) (err error) {
	dir := s.dir
	if dir == "" {
		if dir, err = empty(strconv.Itoa(number)); err != nil {
			return err
		}
		for name, text := range s.files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	s.bench, err = build(dir, false)
	return err
}

// empty returns a directory for files of a subject, with nothing in it.
func empty(name string) (string, error) {
	dir := filepath.Join(work, name)
	return dir, errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755))
}
