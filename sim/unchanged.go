package sim

import (
	"github.com/snapstorm/snapstorm/sim/sched"
)

// memory is a property of memory that the program must leave alone.
type memory struct {
	name    string
	changed func(suspect string) (found string)
}

// current is the world that is being set up or runs.
var current *World

// Unchanged adds a property of memory that a simulated part of the world hands out and the program must leave alone. Changed
// looks for something that was changed and returns its name, or ""; given a suspect, it looks at nothing else. It is called
// when the world is over. If it finds something, the world is run once more and looked at after every step, to find out
// who did it. Outside of a world's set-up, Unchanged does
// nothing and returns false.
func Unchanged(name string, changed func(suspect string) (found string)) bool {
	if current == nil {
		return false
	}
	current.memory = append(current.memory, memory{name, changed})
	return true
}

// checkMemory makes a finding of what was changed. All tasks have ended, which orders what they wrote.
func (w *World) checkMemory() {
	for _, m := range w.memory {
		if found := m.changed(""); found != "" {
			w.sched.Report(sched.Finding{
				Kind: "property", Property: m.name, Summary: m.name + " does not hold: " + found + " was changed", Suspect: found,
			})
		}
	}
}

// probe has the world looked at after every step for what became of the suspect.
func (w *World) probe(suspect string) {
	w.sched.SetProbe(func() bool {
		for _, m := range w.memory {
			if m.changed(suspect) != "" {
				return true
			}
		}
		return false
	})
}
