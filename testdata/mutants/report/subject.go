package main

import (
	"cmp"

	"github.com/snapstorm/snapstorm/testdata/internal/flaws"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
	"github.com/snapstorm/snapstorm/testdata/mutants/generate"
	"github.com/snapstorm/snapstorm/testdata/mutants/hand"
	"github.com/snapstorm/snapstorm/testdata/mutants/schemata"
)

// subject is a broken monitor.
type subject struct {
	name, kind string
	does       string // what is wrong with it, for people
	files      map[string]string
	stages     []run
	only       string // the one guarantee that may find it; "" for whatever does
	by         string // what must find it; "" for whatever does

	bench  *bench // what has it
	number int    // of the mutant in the bench
	flaw   *flaws.Flaw
	runner *runs.Runner // for the flaw
	dir    string       // that has its files; "" if they are in files
}

// The kinds of subjects.
const (
	ofGeneration = "generation"
	byHand       = "hand"
	generated    = "generated"
)

// monitor is the unbroken one, which must pass every stage.
const monitor = "monitor"

// collect returns all subjects.
func collect() ([]*subject, error) {
	all := []*subject{{name: monitor, kind: monitor, stages: append(stages(false), stages(true)...)}}
	known, err := flaws.Read()
	if err != nil {
		return nil, err
	}
	for _, f := range known {
		all = append(all, &subject{name: f.Generation + " " + f.Name, kind: ofGeneration, flaw: &f})
	}
	for _, m := range hand.All() {
		s, err := ofHand(m)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	made, err := generate.All("monitor")
	for _, m := range made {
		all = append(all, &subject{name: m.Name, kind: generated, does: m.Place + ": " + m.Does, files: m.Files, stages: stages(m.Race)})
	}
	return all, err
}

// ofHand is a mutant that was made by hand: it says itself what is to find it.
func ofHand(m hand.Mutant) (*subject, error) {
	s := &subject{name: m.Name, kind: byHand, by: m.CaughtBy, dir: m.Subject}
	r := run{Test: m.Test, Schedules: m.Schedules, Rare: cmp.Or(m.Rare, usual)}
	if m.Only {
		s.only = m.CaughtBy
	} else {
		r.Until = m.Until()
	}
	s.stages = []run{r}
	if m.Subject != "" {
		return s, nil
	}
	files, err := m.Apply("monitor")
	s.files = files
	return s, err
}

// mutant is the subject as it goes into a binary that has many.
func (s *subject) mutant() schemata.Mutant { return schemata.Mutant{Name: s.name, Files: s.files} }
