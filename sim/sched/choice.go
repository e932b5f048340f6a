package sched

import "strings"

// Asker says who asks a question; it is the first word of a tape's line.
type Asker uint8

// The askers.
const (
	AskSwitch Asker = iota // which task goes on
	AskCase                // which case of a select is tried first
	AskCrash               // does the process crash here
	AskTime                // does time pass although tasks could go on
	AskFault               // asked by fakes
	AskSetup               // asked by the scenario before anything runs
	numAskers
)

// AskerNames are the words that tapes use, in the order of the constants.
var AskerNames = [numAskers]string{"switch", "case", "crash", "time", "fault", "setup"}

// Question is a choice with N answers, 0 to N-1. Answer 0 is the dullest: keep running this task, no fault, the
// smallest value. Rare > 1 asks for an answer other than 0 about once in Rare times.
type Question struct {
	Asker Asker
	Label string // of AskFault and AskSetup
	N     int
	Rare  int
	Tasks []*Task // of AskSwitch: the candidates, by answer; valid during the call
	After *Task   // who has just taken a step, or is about to; nil at the beginning
}

// Chooser answers questions. All questions of a world are asked on one goroutine, in order.
type Chooser interface {
	Choose(Question) int
}

// Choice is a question that was answered.
type Choice struct {
	Asker    Asker
	Kind     Kind // what the task is about to do
	N        int32
	Answer   int32
	Step     int32
	Task     int32  // of AskSwitch: the chosen task; of the others: the task that is about to go on, or -1
	Label    string // as in the question; of AskSwitch: the verb and the object of a step that names them
	Name     string
	Site     *Site // where the task is
	After    int32 // the question's After, or -1
	Steps    int32 // of After, when the question was asked
	Passed   Passed
	Ready    uint64 // of the AskCase of a select: the cases that were ready, one bit each
	Preempts bool   // of AskSwitch: an answer other than 0 takes the turn from a task that could have gone on, and did not spin
}

// The labels of the questions that belong to a crash. Whether there is one has no label.
const (
	OddsLabel    = "odds"     // how likely crashes are in this run
	ReplaceLabel = "replace " // is it a replacement; the program's name follows
)

// Labelled says whether the label is the question's own, and not what a task is about to do.
func (c Choice) Labelled() bool {
	switch c.Asker {
	case AskFault, AskSetup:
		return true
	case AskCrash:
		return c.Label == OddsLabel || strings.HasPrefix(c.Label, ReplaceLabel)
	}
	return false
}

// Passed is who would have gone on, had a switch been answered with 0, and where that task waits.
type Passed struct {
	Task int32 // or -1
	Kind Kind
	Site *Site
}

func (w *World) ask(q Question, about *Task) int {
	if q.N < 2 {
		return 0
	}
	if q.After = about; about == nil {
		q.After = w.last
	}
	answer := w.chooser.Choose(q)
	if answer < 0 || answer >= q.N {
		panic("sched: a strategy answered outside of 0..N-1")
	}
	c := Choice{Asker: q.Asker, N: int32(q.N), Answer: int32(answer), Step: int32(w.steps), Task: -1, Label: q.Label, After: -1, Passed: Passed{Task: -1}}
	if q.After != nil {
		c.After, c.Steps = int32(q.After.id), int32(q.After.steps)
	}
	if q.Asker == AskSwitch {
		about = q.Tasks[answer]
		c.Preempts = q.Tasks[0] == w.last && !w.last.Spins() && !w.barrier
		if first := q.Tasks[0]; answer > 0 {
			c.Passed = Passed{int32(first.id), first.op.Kind, first.op.Site}
		}
	}
	if about != nil {
		c.Task, c.Site, c.Kind = int32(about.id), about.op.Site, about.op.Kind
		if q.Label == "" {
			c.Label, c.Name = about.op.Verb, about.op.Name
		}
	}
	w.choices.add(c)
	w.hash = mix(w.hash, uint64(q.Asker)<<56|uint64(q.N)<<24|uint64(answer))
	return answer
}

// Answered names, for the tape, the answer to the last question that the calling task asked.
//
//go:norace
func Answered(name string) {
	if t := Hold(); t != nil && len(t.world.choices.last) > 0 {
		t.world.choices.last[len(t.world.choices.last)-1].Name = name
	}
}

// record keeps choices in chunks: a world makes tens of thousands, and to copy them as a slice grows costs more than to
// schedule.
type record struct {
	n    int
	full [][]Choice
	last []Choice
}

// A chunk is twice as long as the one before it, so that a small world allocates little.
const (
	firstChunk = 64
	lastChunk  = 4096
)

func (r *record) add(c Choice) {
	if len(r.last) == cap(r.last) {
		if r.last != nil {
			r.full = append(r.full, r.last)
		}
		r.last = make([]Choice, 0, min(max(firstChunk, 2*cap(r.last)), lastChunk))
	}
	r.last = append(r.last, c)
	r.n++
}

// at returns a choice to be changed.
//
//go:norace
func (r *record) at(i int) *Choice {
	for _, c := range r.full {
		if i < len(c) {
			return &c[i]
		}
		i -= len(c)
	}
	return &r.last[i]
}

func (r *record) all() []Choice {
	choices := make([]Choice, 0, r.n)
	for _, c := range r.full {
		choices = append(choices, c...)
	}
	return append(choices, r.last...)
}
