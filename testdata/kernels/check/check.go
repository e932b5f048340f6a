package check

import (
	"slices"
	"testing"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/testdata/kernels"
)

// Seeds is how many seeds must find each bug, and Schedules how many schedules of a fixed twin must show nothing.
const (
	seeds     = 20
	schedules = 1000
)

// Kernels runs every kernel that this build can show, as subtests.
func Kernels(t *testing.T, all []kernels.Kernel) {
	for _, k := range all {
		if k.Plain && sched.RaceEnabled {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			bug(t, k)
			fixed(t, k)
		})
	}
}

// bug looks for the bug with every seed.
func bug(t *testing.T, k kernels.Kernel) {
	o := sim.Options{Subject: k.Name, Seeds: seeds, Schedules: max(100, k.Schedules), First: true}
	for _, s := range sim.ExploreSeeds(t, o, program(k.Name, k)) {
		kinds := []string{}
		for _, f := range s.Findings {
			kinds = append(kinds, f.Kind)
		}
		if !slices.Contains(kinds, k.Want) {
			t.Errorf("seed %d found %v in %d schedules, want a %s", s.Seed, kinds, s.Schedules, k.Want)
		}
	}
}

// fixed looks for anything in the twin.
func fixed(t *testing.T, k kernels.Kernel) {
	k.Bug = k.Fixed
	s := sim.Explore(t, sim.Options{Subject: k.Name + "/fixed", Schedules: schedules}, program(k.Name, k))
	for _, f := range s.Findings {
		t.Errorf("the fixed twin shows %s: %s\n%s", f.Kind, f.Summary, f.Detail)
	}
}

func program(name string, k kernels.Kernel) func(*sim.World) {
	return func(w *sim.World) { w.Start(sim.Program{Name: name, Main: k.Bug}) }
}
