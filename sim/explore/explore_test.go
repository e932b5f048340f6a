package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// answers asks the same questions of a strategy.
func answers(c sched.Chooser) []int {
	var all []int
	for i := range 200 {
		all = append(all, c.Choose(sched.Question{Asker: sched.AskFault, Label: "x", N: 2 + i%5}))
	}
	return all
}

func TestRandomIsItsSeedAndSchedule(t *testing.T) {
	assert.Equal(t, answers(NewRandom(1, 2)), answers(NewRandom(1, 2)))
	assert.NotEqual(t, answers(NewRandom(1, 2)), answers(NewRandom(1, 3)))
	assert.NotEqual(t, answers(NewRandom(1, 2)), answers(NewRandom(2, 2)))
}

func TestRandomAnswersRareQuestionsRarely(t *testing.T) {
	r, faults := NewRandom(1, 1), 0
	for range 10_000 {
		if r.Choose(sched.Question{N: 3, Rare: 100}) != 0 {
			faults++
		}
	}
	assert.InDelta(t, 100, faults, 50)
}

func TestReplayAnswersAsTheTapeSays(t *testing.T) {
	r := NewReplay(&tape.Tape{Entries: []tape.Entry{{Index: 1, Asker: "fault", Answer: 2, N: 3, What: "x"}}})
	var got []int
	for range 3 {
		got = append(got, r.Choose(sched.Question{Asker: sched.AskFault, Label: "x", N: 3}))
	}
	assert.Equal(t, []int{0, 2, 0}, got)
	assert.NoError(t, r.Rest())
}

func TestReplayKnowsNamedAnswers(t *testing.T) {
	r := NewReplay(&tape.Tape{Entries: []tape.Entry{{Asker: "fault", Answer: 2, N: 3, What: "update pods a timeout"}}})
	assert.Equal(t, 2, r.Choose(sched.Question{Asker: sched.AskFault, Label: "update pods a", N: 3}))
	assert.NoError(t, r.Rest())
	r = NewReplay(&tape.Tape{Entries: []tape.Entry{{Asker: "fault", Answer: 2, N: 3, What: "update pods ab timeout"}}})
	assert.Panics(t, func() { r.Choose(sched.Question{Asker: sched.AskFault, Label: "update pods a", N: 3}) })
}

func TestReplaySaysWhatDoesNotFit(t *testing.T) {
	entry := tape.Entry{Index: 0, Asker: "fault", Answer: 2, N: 3, What: "x"}
	for _, q := range []sched.Question{
		{Asker: sched.AskCase, N: 3},
		{Asker: sched.AskFault, Label: "x", N: 4},
		{Asker: sched.AskFault, Label: "y", N: 3},
	} {
		assert.Panics(t, func() { NewReplay(&tape.Tape{Entries: []tape.Entry{entry}}).Choose(q) })
	}
	assert.ErrorContains(t, NewReplay(&tape.Tape{Entries: []tape.Entry{entry}}).Rest(), "entry 0")
}

func TestNewKnowsItsNames(t *testing.T) {
	for _, name := range Names {
		_, err := New(name, 1, 1)
		require.NoError(t, err)
	}
	_, err := New("nonsense", 1, 1)
	assert.ErrorContains(t, err, "random")
}
