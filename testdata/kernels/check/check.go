package check

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/testdata/kernels"
)

// seeds is how many seeds must find each bug, and schedules how many schedules of a fixed twin must show nothing.
const (
	seeds     = 20
	schedules = 1000
)

// Subject is a bug and its fix as scenarios, for kernels that need more of a world than one program.
type Subject struct {
	Name       string
	Want       string // the kind of finding that shows the bug
	Bug, Fixed func(*sim.World)

	Schedules int           // within how many schedules each seed must show it; 0 means 100
	MaxSteps  int           // of a world; 0 means the scheduler's own bound
	Horizon   time.Duration // of a world; 0 means the scheduler's own
}

// Programs are kernels that are one program each, as subjects.
func Programs(all []kernels.Kernel) []Subject {
	var subjects []Subject
	for _, k := range all {
		subjects = append(subjects, Subject{
			Name: k.Name, Want: k.Want, Bug: program(k.Name, k.Bug), Fixed: program(k.Name, k.Fixed), Schedules: k.Schedules, MaxSteps: k.MaxSteps,
		})
	}
	return subjects
}

func program(name string, main func(context.Context)) func(*sim.World) {
	return func(w *sim.World) { w.Start(sim.Program{Name: name, Main: main}) }
}

// Find looks for the bug of every subject that this build can show, as subtests: data races with -race only, maps used by two
// at once without. It looks for anything in the fixed twins.
func Find(t *testing.T, all []Subject) {
	for _, s := range all {
		if s.Want == "data-race" && !sched.RaceEnabled || s.Want == "concurrent-map" && sched.RaceEnabled {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			s.bug(t)
			s.fixed(t)
		})
	}
}

// repeated is how many schedules of each bug Repeat runs twice.
const repeated = 100

// Repeat runs schedules of every bug twice each, and compares.
func Repeat(t *testing.T, all []Subject) {
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			o := sim.Options{Subject: s.Name, Schedules: repeated, Twice: true, MaxSteps: s.MaxSteps, Horizon: s.Horizon}
			for _, f := range sim.Explore(t, o, s.Bug).Findings {
				if f.Kind == "nondeterminism" || f.Equal < f.Replays {
					t.Errorf("schedule %d: %s: %s; %d of %d replays had an equal hash\n%s", f.Schedule, f.Kind, f.Summary, f.Equal, f.Replays, f.Detail)
				}
			}
		})
	}
}

// Bugs explores every bug as the flags say, as subtests, and Twins every fixed twin. They are for commands that compare ways to
// explore.
func Bugs(t *testing.T, all []Subject) {
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			o := sim.Options{Subject: s.Name, MaxSteps: s.MaxSteps, Horizon: s.Horizon}
			if !slices.ContainsFunc(sim.Explore(t, o, s.Bug).Findings, func(f sim.Finding) bool { return f.Kind == s.Want }) {
				t.Errorf("found no %s", s.Want)
			}
		})
	}
}

// Twins explores every fixed twin; see Bugs.
func Twins(t *testing.T, all []Subject) {
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			o := sim.Options{Subject: s.Name + "/fixed", MaxSteps: s.MaxSteps, Horizon: s.Horizon}
			for _, f := range sim.Explore(t, o, s.Fixed).Findings {
				t.Errorf("the fixed twin shows %s: %s\n%s", f.Kind, f.Summary, f.Detail)
			}
		})
	}
}

// bug looks for the bug with every seed.
func (s Subject) bug(t *testing.T) {
	o := sim.Options{
		Subject: s.Name, Seeds: seeds, Schedules: max(100, s.Schedules), First: true,
		MaxSteps: s.MaxSteps, Horizon: s.Horizon,
	}
	for _, found := range sim.ExploreSeeds(t, o, s.Bug) {
		kinds := []string{}
		for _, f := range found.Findings {
			kinds = append(kinds, f.Kind)
			if f.Equal < f.Replays {
				t.Errorf("seed %d: only %d of %d replays of %s had an equal hash", found.Seed, f.Equal, f.Replays, f.Tape)
			}
		}
		if !slices.Contains(kinds, s.Want) {
			t.Errorf("seed %d found %v in %d schedules, want a %s", found.Seed, kinds, found.Schedules, s.Want)
		}
	}
}

// fixed looks for anything in the twin.
func (s Subject) fixed(t *testing.T) {
	o := sim.Options{Subject: s.Name + "/fixed", Schedules: schedules, MaxSteps: s.MaxSteps, Horizon: s.Horizon}
	for _, f := range sim.Explore(t, o, s.Fixed).Findings {
		t.Errorf("the fixed twin shows %s: %s\n%s", f.Kind, f.Summary, f.Detail)
	}
}
