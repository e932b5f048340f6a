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
		_, err := New(name, 1, 1, 100)
		require.NoError(t, err)
	}
	_, err := New("nonsense", 1, 1, 100)
	assert.ErrorContains(t, err, "random")
}

// tasks are candidates that know no object and do not spin.
func tasks(n int) []*sched.Task {
	var all []*sched.Task
	for range n {
		all = append(all, new(sched.Task))
	}
	return all
}

// switches asks who goes on, so many times, and counts how often that changes.
func switches(c sched.Chooser, candidates []*sched.Task, times int) (changes int) {
	last := -1
	for range times {
		next := c.Choose(sched.Question{Asker: sched.AskSwitch, N: len(candidates), Tasks: candidates})
		if last >= 0 && next != last {
			changes++
		}
		last = next
	}
	return changes
}

// TestPCTChangesAsOftenAsItsDepthSays: at depth d there are at most d-1 switches away from a task that could go on, and at
// least one seed makes all of them.
func TestPCTChangesAsOftenAsItsDepthSays(t *testing.T) {
	for depth := 1; depth <= MaxDepth; depth++ {
		most := 0
		for seed := range uint64(50) {
			most = max(most, switches(NewPCT(seed, 1, depth, 20), tasks(5), 20))
		}
		assert.Equal(t, depth-1, most)
	}
}

// TestPCTStartsWithEveryTask: each of n tasks is the first in about one of n schedules.
func TestPCTStartsWithEveryTask(t *testing.T) {
	first := map[int]int{}
	for schedule := range 3000 {
		first[NewPCT(1, schedule, 1, 20).Choose(sched.Question{Asker: sched.AskSwitch, N: 3, Tasks: tasks(3)})]++
	}
	for i := range 3 {
		assert.InDelta(t, 1000, first[i], 150)
	}
}

// TestPOSOrdersFreely: without conflicts POS draws a priority for each operation, so it switches now and then.
func TestPOSOrdersFreely(t *testing.T) {
	assert.Greater(t, switches(NewPOS(1, 1), tasks(3), 300), 5)
}

// TestPCTIsIndependentOfTheRest: what a scenario chooses says nothing about where the change points are.
func TestPCTIsIndependentOfTheRest(t *testing.T) {
	var together [3][3]int
	for schedule := range 3000 {
		p := NewPCT(1, schedule, 2, 300)
		for at := range p.changes {
			together[p.Choose(sched.Question{Asker: sched.AskSetup, N: 3})][at/100]++
		}
	}
	for _, row := range together {
		for _, n := range row {
			assert.InDelta(t, 3000/9, n, 80)
		}
	}
}
