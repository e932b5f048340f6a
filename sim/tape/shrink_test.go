package tape

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// try is a subject that no nudge helps.
type try func([]Entry) ([]Entry, bool)

func (t try) Try(some []Entry) ([]Entry, bool) { return t(some) }

func (t try) Nudge([]Entry, int) ([]Entry, bool) { return nil, false }

// TestShrinkFindsWhatIsNeeded: whatever entries a failure needs, those are left, with the smallest answers, and few runs do.
func TestShrinkFindsWhatIsNeeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(0, 500).Draw(t, "total")
		var entries []Entry
		for i := range total {
			asker := rapid.SampledFrom([]string{"switch", "fault", "time"}).Draw(t, "asker")
			entries = append(entries, Entry{Index: i, Asker: asker, Answer: rapid.IntRange(1, 3).Draw(t, "answer"), N: 4})
		}
		needed := map[int]bool{}
		for range rapid.IntRange(0, 4).Draw(t, "needed") {
			if total > 0 {
				needed[rapid.IntRange(0, total-1).Draw(t, "one")] = true
			}
		}
		runs := 0
		got := Shrink(entries, 10_000, try(func(some []Entry) ([]Entry, bool) {
			runs++
			left := 0
			for _, e := range some {
				if needed[e.Index] {
					left++
				}
			}
			return some, left == len(needed)
		}))
		assert.Len(t, got, len(needed))
		for _, e := range got {
			assert.True(t, needed[e.Index])
			assert.True(t, e.isSwitch() || e.Answer == 1)
		}
		assert.Less(t, runs, 250)
	})
}

// TestShrinkTakesPairs: two neighbours of which one alone cannot go.
func TestShrinkTakesPairs(t *testing.T) {
	entries := []Entry{{Index: 0, Asker: "switch"}, {Index: 1, Asker: "switch"}, {Index: 2, Asker: "switch"}, {Index: 3, Asker: "switch"}}
	got := Shrink(entries, 300, try(func(some []Entry) ([]Entry, bool) {
		has := map[int]bool{}
		for _, e := range some {
			has[e.Index] = true
		}
		return some, has[0] && has[3] && has[1] == has[2]
	}))
	assert.Len(t, got, 2)
}

// sound is a subject that never fails.
type sound struct{ runs int }

func (s *sound) Try([]Entry) ([]Entry, bool) { s.runs++; return nil, false }

func (s *sound) Nudge([]Entry, int) ([]Entry, bool) { s.runs++; return nil, false }

func TestShrinkKeepsToItsBound(t *testing.T) {
	entries := make([]Entry, 100)
	sound := &sound{}
	got := Shrink(entries, 7, sound)
	assert.Equal(t, 7, sound.runs)
	assert.True(t, slices.Equal(entries, got))
}

// queue is a subject whose entries hang together, so that none can be left out, while one that is not among them does alone.
type queue struct{ whole int }

func (q queue) Try(some []Entry) ([]Entry, bool) {
	return some, len(some) == q.whole || len(some) == 1 && some[0].Task == "nudged"
}

func (q queue) Nudge(_ []Entry, seed int) ([]Entry, bool) {
	return []Entry{{Asker: "switch", Task: "nudged"}}, seed == firstNudges
}

// TestShrinkStartsAgain: what leaving out alone cannot find is found from the other side.
func TestShrinkStartsAgain(t *testing.T) {
	got := Shrink(slices.Repeat([]Entry{{Asker: "switch"}}, 20), 200, queue{20})
	assert.Equal(t, []Entry{{Asker: "switch", Task: "nudged"}}, got)
}
