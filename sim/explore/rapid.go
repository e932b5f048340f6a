package explore

import (
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"
)

// How long rapid's lists are, and among how many tasks and answers they choose.
const (
	maxDetours = 16
	maxAnswer  = 8
)

// mostlyAll are the askers to choose from. Most questions of most worlds are switches, which need no counting of their own, and
// some worlds have no others.
var mostlyAll = slices.Concat(slices.Repeat([]string{""}, 2*len(countable)), countable)

// Detours is a generator of rapid for lists that suit a world of about so many switches. Drawing each answer of a world from
// rapid would not shrink: there are thousands, and one that is gone moves all that follow. A list shrinks to nothing.
func Detours(switches int) *rapid.Generator[[]Detour] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Detour {
		return Detour{
			Asker:    rapid.SampledFrom(mostlyAll).Draw(t, "asker"),
			Question: rapid.IntRange(0, max(switches, 1)).Draw(t, "question"),
			Answer:   rapid.IntRange(1, maxAnswer).Draw(t, "answer"),
		}
	}), 0, maxDetours)
}

// NewRapid returns the strategy of one schedule: the list that rapid generates for it. Rapid likes small values, so the lists
// are mostly short, and dense at the beginning of a world.
func NewRapid(seed uint64, schedule, switches int) *Detouring {
	stream := rand.NewPCG(seed, uint64(schedule)).Uint64()
	return NewDetouring(Detours(switches).Example(int(stream)))
}
