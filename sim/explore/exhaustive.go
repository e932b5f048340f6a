package explore

import (
	"slices"
	"sort"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Deviation is an answer other than 0 to the question with this index.
type Deviation struct{ Index, Answer int }

// Path is a schedule of an exhaustive search: the deviations, by index. All other answers are 0.
type Path []Deviation

// Directed plays a path.
type Directed struct {
	path  Path
	asked int
}

// NewDirected returns the strategy that plays a path.
func NewDirected(p Path) *Directed { return &Directed{path: p} }

// Choose implements sched.Chooser. A path that does not fit panics with a Misfit.
func (d *Directed) Choose(q sched.Question) int {
	index := d.asked
	d.asked++
	if len(d.path) == 0 || d.path[0].Index != index {
		return 0
	}
	answer := d.path[0].Answer
	d.path = d.path[1:]
	if answer >= q.N {
		panic(Misfit{Asked: "an exhaustive search met other questions when it came the same way again"})
	}
	return answer
}

// Bound is how far the schedules of an exhaustive search may be from the dullest one.
type Bound struct {
	Preemptions int  // switches away from a task that could have gone on
	Crashes     int  // ahead of steps that change the world outside: see ChangingVerbs
	Faults      int  // other answers than 0 to all else but selects: faults, time that passes, what the scenario draws
	Whole       bool // leave nothing out that only commutes: for comparison
	Stop        bool // search the orders of an orderly stop, too
}

// Branch is a path to be searched, and what of the bound it uses up.
type Branch struct {
	Path  Path
	Price Price
	Due   int // the move of the world that it branches from which shows it to be worth a search
}

// Price is what of a bound something uses up.
type Price struct{ Preemptions, Crashes, Faults int }

func (p Price) plus(q Price) Price {
	return Price{p.Preemptions + q.Preemptions, p.Crashes + q.Crashes, p.Faults + q.Faults}
}

// Sum is by what a search puts paths in order.
func (p Price) Sum() int { return p.Preemptions + p.Crashes + p.Faults }

func (p Price) within(b Bound) bool {
	return p.Preemptions <= b.Preemptions && p.Crashes <= b.Crashes && p.Faults <= b.Faults
}

// ChangingVerbs begin the names of steps that change the world outside of a process. A search lets processes crash ahead of
// those only: between two of them nothing is done that outlives a crash.
var ChangingVerbs = []string{"create", "update", "patch", "delete"}

func changes(label string) bool {
	return slices.ContainsFunc(ChangingVerbs, func(verb string) bool { return strings.HasPrefix(label, verb) })
}

// Branches lists the paths that the world of a path shows to be worth a search. All that are returned are within the bound, and
// each deviates from the world's own path in one more answer, behind a common beginning. With each of them searched in turn, all
// schedules within the bound are, but for those that Reduced leaves out.
//
// The search of schedules by their number of preemptions is that of Musuvathi and Qadeer, "Iterative Context Bounding for Systematic
// Testing of Multithreaded Programs" (PLDI 2007). Which case of a select comes first costs nothing.
func Branches(r sched.Result, path Path, b Bound) Expansion {
	e := &expansion{result: r, path: path, bound: b}
	if len(path) > 0 {
		e.from = path[len(path)-1].Index + 1
	}
	e.count()
	if b.Whole {
		e.allSwitches()
	} else {
		e.reversals()
		e.sleeping()
	}
	e.otherAnswers()
	return Expansion{e.branches, e.asleep}
}

// Expansion is what a world tells a search.
type Expansion struct {
	Branches []Branch
	Asleep   []Asleep
}

// expansion is the work of Branches.
type expansion struct {
	result   sched.Result
	path     Path
	bound    Bound
	from     int     // the first question behind the path
	prices   []Price // of the path ahead of its i-th deviation
	due      int     // the move that is looked at
	branches []Branch
	asleep   []Asleep
}

// count adds up what the path uses of the bound.
func (e *expansion) count() {
	var sum Price
	for _, d := range e.path {
		e.prices = append(e.prices, sum)
		sum = sum.plus(price(e.result.Choices[d.Index]))
	}
	e.prices = append(e.prices, sum)
}

// price is what an answer other than 0 uses of the bound.
func price(c sched.Choice) Price {
	switch {
	case c.Asker == sched.AskSwitch && c.Preempts:
		return Price{Preemptions: 1}
	case c.Asker == sched.AskSwitch, c.Asker == sched.AskCase && c.Kind == sched.Select:
		return Price{}
	case c.Asker == sched.AskCrash:
		return Price{Crashes: 1}
	}
	return Price{Faults: 1}
}

// branch adds the path that goes along with this world's up to a question, and answers that otherwise.
func (e *expansion) branch(index, answer int) {
	if answer == 0 || index >= e.result.Stop && !e.bound.Stop {
		return // who goes on by himself was searched before
	}
	at := 0
	for at < len(e.path) && e.path[at].Index < index {
		at++
	}
	b := Branch{Due: e.due, Price: e.prices[at].plus(price(e.result.Choices[index]))}
	if !b.Price.within(e.bound) {
		return
	}
	b.Path = append(slices.Clone(e.path[:at]), Deviation{index, answer})
	e.branches = append(e.branches, b)
}

// allSwitches branches at every switch behind the path.
func (e *expansion) allSwitches() {
	for i := e.from; i < len(e.result.Choices); i++ {
		if c := e.result.Choices[i]; c.Asker == sched.AskSwitch {
			e.answers(i, int(c.N))
		}
	}
}

// otherAnswers branches at the questions behind the path that are no switches.
func (e *expansion) otherAnswers() {
	for i := e.from; i < len(e.result.Choices); i++ {
		e.due = e.moveAt(i)
		switch c := e.result.Choices[i]; {
		case c.Asker == sched.AskSwitch:
		case c.Asker == sched.AskCase && c.Kind == sched.Select:
			e.readyCases(i, c)
		case c.Asker == sched.AskCrash && (c.Label == "odds" || !changes(c.Label)):
		default:
			e.answers(i, int(c.N))
		}
	}
}

// moveAt is the move that was chosen last when a question was asked.
func (e *expansion) moveAt(choice int) int {
	moves := e.result.Moves
	return max(0, sort.Search(len(moves), func(k int) bool { return moves[k].Choice > choice })-1)
}

// readyCases branches to the cases of a select that were ready, where several were: else it made no difference which is
// tried first.
func (e *expansion) readyCases(index int, c sched.Choice) {
	for a := 1; a < int(c.N); a++ {
		if c.Ready&(1<<a) != 0 {
			e.branch(index, a)
		}
	}
}

func (e *expansion) answers(index, n int) {
	for a := 1; a < n; a++ {
		e.branch(index, a)
	}
}
