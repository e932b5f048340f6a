// Package hand has monitors that were broken by hand. For each guarantee of the monitor there is one that breaks nothing else,
// and there is one for each trap around the hand-over that no generation fell into.
package hand

import "github.com/snapstorm/snapstorm/testdata/mutation"

// Mutant is a broken monitor.
type Mutant struct {
	mutation.Mutation
	Subject   string // directory of the files that replace the monitor's own; "" if the edits are all
	Trap      int    // by its number in README.md; 0 for none
	CaughtBy  string // a guarantee or a kind of finding
	Only      bool   // nothing else catches it
	Test      string // of the monitor, with that
	Schedules int    // within so many
	Rare      int    // how rare faults are; 0 as usual
}

// All returns the mutants.
func All() []Mutant { return append(guarantees(), traps()...) }

// Until is what -sim.until takes to stop at what catches the mutant.
func (m Mutant) Until() string { return "^(" + m.CaughtBy + "|property : " + m.CaughtBy + ") " }

func edit(file, before, after string) mutation.Edit {
	return mutation.Edit{File: file, Old: before, New: after}
}

func mutant(name string, edits ...mutation.Edit) Mutant {
	return Mutant{Mutation: mutation.Mutation{Name: name, Edits: edits}, Test: "TestSmall", Schedules: 100}
}

func (m Mutant) caughtBy(what string) Mutant {
	m.CaughtBy = what
	return m
}

func (m Mutant) onlyBy(what string) Mutant {
	m.CaughtBy, m.Only = what, true
	return m
}

func (m Mutant) in(test string, schedules int) Mutant {
	m.Test, m.Schedules = test, schedules
	return m
}

// unlucky makes faults frequent.
func (m Mutant) unlucky() Mutant {
	m.Rare = 5
	return m
}

func (m Mutant) trap(number int) Mutant {
	m.Trap = number
	return m
}
