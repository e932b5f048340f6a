package explore

import (
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// Guided plays a tape of which entries were taken out, or that is of code which has changed since: it answers the questions
// that it recognises, and 0 to all others. It knows a question by its asker, its label, the own time of the task that it comes
// after, which what other tasks do meanwhile does not move, and its number among the questions that are alike in all that.
type Guided struct {
	entries map[moment][]guide
	asked   map[labelled]int
	used    []bool // which entries were
}

// guide is an entry of a tape.
type guide struct {
	tape.Entry
	number int
}

// moment dates a question.
type moment struct {
	asker, after string
	steps        int
}

// labelled is what questions of one moment are counted by.
type labelled struct {
	moment
	label string
}

// NewGuided returns the strategy that plays these entries.
func NewGuided(entries []tape.Entry) *Guided {
	g := &Guided{map[moment][]guide{}, map[labelled]int{}, make([]bool, len(entries))}
	for i, e := range entries {
		at := moment{e.Asker, e.After, e.Steps}
		g.entries[at] = append(g.entries[at], guide{e, i})
	}
	return g
}

// Choose implements sched.Chooser.
func (g *Guided) Choose(q sched.Question) int {
	at := moment{asker: sched.AskerNames[q.Asker]}
	if q.After != nil {
		at.after, at.steps = q.After.Name(), q.After.Steps()
	}
	nth := g.asked[labelled{at, q.Label}]
	g.asked[labelled{at, q.Label}]++
	for _, e := range g.entries[at] {
		if e.Nth == nth && isAbout(e.Entry, q) {
			answer := answerOf(e.Entry, q)
			g.used[e.number] = g.used[e.number] || answer != 0
			return answer
		}
	}
	return 0
}

// Unfit lists the entries that were not played: nothing asked for them, or they were no answer any more.
func (g *Guided) Unfit() []int {
	var unfit []int
	for i, used := range g.used {
		if !used {
			unfit = append(unfit, i)
		}
	}
	return unfit
}

// isAbout says whether an entry is about the question. What stands on a tape for one without a label is what a task is about to
// do, which may have changed; but it is not another question about a crash.
func isAbout(e tape.Entry, q sched.Question) bool {
	if q.Asker == sched.AskCrash && q.Label == "" {
		return e.N == q.N && !strings.HasPrefix(e.What, sched.ReplaceLabel)
	}
	return fits(q.Label, e.What)
}

// answerOf is what an entry says to a question, or 0 if that is no answer any more.
func answerOf(e tape.Entry, q sched.Question) int {
	if q.Asker != sched.AskSwitch {
		if e.Answer < q.N {
			return e.Answer
		}
		return 0
	}
	if e.Answer < q.N && q.Tasks[e.Answer].Name() == e.Task {
		return e.Answer // another one may have the same name
	}
	for i, t := range q.Tasks {
		if t.Name() == e.Task {
			return i
		}
	}
	return 0
}
