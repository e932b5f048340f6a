package explore

import (
	"math/rand/v2"
	"slices"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// Nudge says how a schedule departs from the one that a tape gives. The seed also decides whether it does by faults, by switches
// at the places, by switches ahead of what others are about to use, or by both of the first and the last.
type Nudge struct {
	Seed   uint64
	Most   int      // how many answers are not 0 that the tape has not; 0 means none
	Places []string // where who is passed over is about to take a step
}

// Nudged plays a tape as Guided does, and departs from it in a few answers: something goes wrong, or a task that could go on is
// kept waiting. It is the scheduler of Emmi, Qadeer and Rakamarić, "Delay-Bounded Scheduling" (POPL 2011), whose bound is small
// because few delays show most bugs; the delays are drawn instead of enumerated.
type Nudged struct {
	guided *Guided
	nudge  Nudge
	rand   *rand.Rand
	seldom int         // about one in so many chances is taken
	held   *sched.Task // who was passed over last
}

// maxSeldom bounds how many chances to depart from the tape are let go by at first: 2 to the power of it.
const maxSeldom = 6

// NewNudged returns the strategy of one such schedule.
func NewNudged(entries []tape.Entry, n Nudge) *Nudged {
	r := rand.New(rand.NewPCG(n.Seed, 0))
	return &Nudged{guided: NewGuided(entries), nudge: n, rand: r, seldom: 1 << r.IntN(maxSeldom+1)}
}

// Choose implements sched.Chooser.
func (n *Nudged) Choose(q sched.Question) int {
	answer := n.guided.Choose(q)
	if answer != 0 || n.nudge.Most == 0 || !n.departs(q) {
		return answer
	}
	n.nudge.Most--
	if q.Asker == sched.AskSwitch {
		n.held = q.Tasks[0]
	}
	return 1 + n.rand.IntN(q.N-1)
}

// Unfit lists the entries of the tape that were not played: see Guided.
func (n *Nudged) Unfit() []int { return n.guided.Unfit() }

// The ways to depart, by the seed.
const (
	byPlace = iota
	byUse
	byFault
	byFaultAndUse
	ways
)

// departs says whether a question is answered otherwise. Once a task was kept waiting, it mostly stays so: what it waits for
// takes a while.
func (n *Nudged) departs(q sched.Question) bool {
	way := n.nudge.Seed % ways
	switch {
	case q.Asker == sched.AskFault:
		return way >= byFault && n.now()
	case q.Asker != sched.AskSwitch || way == byFault:
		return false
	case q.Tasks[0] == n.held:
		return n.rand.IntN(4) > 0
	case way == byPlace:
		return slices.Contains(n.nudge.Places, q.Tasks[0].At()) && n.now()
	}
	return n.now() && (q.Tasks[0].Calls() || slices.ContainsFunc(q.Tasks[1:], q.Tasks[0].Conflicts))
}

func (n *Nudged) now() bool { return n.rand.IntN(n.seldom) == 0 }
