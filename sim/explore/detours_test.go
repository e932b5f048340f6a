package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

func TestDetouringAnswersItsList(t *testing.T) {
	d := NewDetouring([]Detour{{"", 3, 1}, {"", 1, 5}, {"", 1, 2}, {"fault", 1, 2}, {"", 5, 1}})
	var got []int
	for i := range 7 {
		q := sched.Question{Asker: sched.AskSwitch, N: 4}
		if i >= 4 {
			q.Asker = sched.AskFault
		}
		got = append(got, d.Choose(q))
	}
	assert.Equal(t, []int{0, 2, 0, 1, 0, 2, 0}, got, "of 3 answers that are not 0 the fifth is the second; the first detour at a question counts, and one of its asker before others")
}

func TestBytesAreLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := Detours(1000).Draw(t, "list")
		require.Equal(t, NewDetouring(list), NewDetouring(OfBytes(Bytes(list))))
		any := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		for _, v := range OfBytes(any) {
			require.GreaterOrEqual(t, v.Answer, 1)
			require.GreaterOrEqual(t, v.Question, 0)
		}
	})
	assert.Empty(t, OfBytes(nil))
	assert.Empty(t, Bytes(nil))
}

// TestOfTape: a tape is played by the list that is made of it.
func TestOfTape(t *testing.T) {
	entries := []tape.Entry{{Index: 1, Asker: "fault", Answer: 2, N: 3}, {Index: 300, Asker: "fault", Answer: 999, N: 1000}}
	d := NewDetouring(OfBytes(Bytes(OfTape(entries))))
	for i := range 400 {
		want := map[int]int{1: 2, 300: 999}[i]
		require.Equal(t, want, d.Choose(sched.Question{Asker: sched.AskFault, N: map[bool]int{true: 3, false: 1000}[i < 300]}))
	}
}

func TestRapidIsItsSeedAndSchedule(t *testing.T) {
	lists := map[string]bool{}
	for schedule := range 50 {
		a, b := NewRapid(1, schedule, 100), NewRapid(1, schedule, 100)
		require.Equal(t, a, b)
		lists[string(Bytes(Detours(100).Example(schedule)))] = true
	}
	assert.NotEqual(t, NewRapid(1, 2, 100), NewRapid(2, 2, 100))
	assert.Greater(t, len(lists), 30, "most schedules differ")
}
