package tape

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

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
		got := Shrink(entries, 10_000, func(some []Entry) ([]Entry, bool) {
			runs++
			left := 0
			for _, e := range some {
				if needed[e.Index] {
					left++
				}
			}
			return some, left == len(needed)
		})
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
	got := Shrink(entries, 100, func(some []Entry) ([]Entry, bool) {
		has := map[int]bool{}
		for _, e := range some {
			has[e.Index] = true
		}
		return some, has[0] && has[3] && has[1] == has[2]
	})
	assert.Len(t, got, 2)
}

func TestShrinkKeepsToItsBound(t *testing.T) {
	entries := make([]Entry, 100)
	runs := 0
	got := Shrink(entries, 7, func([]Entry) ([]Entry, bool) {
		runs++
		return nil, false
	})
	assert.Equal(t, 7, runs)
	assert.True(t, slices.Equal(entries, got))
}
