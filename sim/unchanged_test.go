package sim_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim"
)

// labels is what a cache hands out.
type labels struct{ zone string }

// TestUnchangedMemoryIsLookedAfter: a change of what must stay is found when the world has settled, and another run tells
// which task did it, and where.
func TestUnchangedMemoryIsLookedAfter(t *testing.T) {
	scenario := func(careful bool) func(*sim.World) {
		return func(w *sim.World) {
			shared := &labels{"a"}
			sim.Unchanged("Shared", func(suspect string) string {
				if shared.zone != "a" && (suspect == "" || suspect == "labels of a") {
					return "labels of a"
				}
				return ""
			})
			w.Start(sim.Program{Name: "p", Main: func(context.Context) {
				for range 2 {
					go func() { _ = len(shared.zone) }()
				}
				done := make(chan bool)
				go func() {
					if !careful {
						shared.zone = "b"
					}
					done <- true
				}()
				<-done
			}})
		}
	}
	s := sim.Explore(t, sim.Options{Schedules: 20, First: true}, scenario(false))
	var found sim.Finding
	for _, f := range s.Findings {
		if f.Kind == "property" {
			found = f
		}
	}
	assert.Equal(t, "Shared", found.Property)
	assert.Contains(t, found.Summary, "labels of a was changed")
	assert.Contains(t, found.Detail, "p.3")
	assert.Contains(t, found.Detail, "unchanged_test.go:3")
	assert.Equal(t, found.Replays, found.Equal)
	assert.Empty(t, sim.Explore(t, sim.Options{Schedules: 20}, scenario(true)).Findings)
}
