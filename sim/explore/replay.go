package explore

import (
	"fmt"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// Replay answers as a tape says. A tape that does not fit the questions any more panics with a Misfit.
type Replay struct {
	tape    *tape.Tape
	entries []tape.Entry
	asked   int
	next    int
}

// Misfit says where a tape stops to fit.
type Misfit struct {
	Line  int // of the tape's text
	Entry tape.Entry
	Asked string
}

// Error implements error.
func (m Misfit) Error() string {
	e := m.Entry
	return fmt.Sprintf("line %d: the tape does not fit this code any more at its entry %d (%s %d/%d %s %s %s): %s",
		m.Line, e.Index, e.Asker, e.Answer, e.N, e.Task, e.Where, e.What, m.Asked)
}

// NewReplay returns the strategy that replays a tape.
func NewReplay(t *tape.Tape) *Replay { return &Replay{tape: t, entries: t.Entries} }

// Choose implements sched.Chooser.
func (r *Replay) Choose(q sched.Question) int {
	index := r.asked
	r.asked++
	if r.next == len(r.entries) || r.entries[r.next].Index != index {
		return 0
	}
	e, line := r.entries[r.next], r.tape.LineOf(r.next)
	r.next++
	asker := sched.AskerNames[q.Asker]
	switch {
	case asker != e.Asker || q.N != e.N:
		panic(Misfit{line, e, fmt.Sprintf("the question there is now a %s of %d answers", asker, q.N)})
	case !fits(q.Label, e.What):
		panic(Misfit{line, e, fmt.Sprintf("the question there is now %q", q.Label)})
	case q.Asker == sched.AskSwitch && q.Tasks[e.Answer].Name() != e.Task:
		panic(Misfit{line, e, fmt.Sprintf("that answer is now %s", q.Tasks[e.Answer].Name())})
	}
	return e.Answer
}

// fits says whether a question's label is what an entry is about: an answer with a name stands behind the label.
func fits(label, what string) bool {
	return label == "" || what == label || strings.HasPrefix(what, label+" ")
}

// Rest returns an error if the world ended before the tape did.
func (r *Replay) Rest() error {
	if r.next == len(r.entries) {
		return nil
	}
	return Misfit{r.tape.LineOf(r.next), r.entries[r.next], fmt.Sprintf("the world ended after %d questions", r.asked)}
}
