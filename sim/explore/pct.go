package explore

import (
	"math/rand/v2"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// PCT is the strategy of Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees
// of Finding Bugs" (ASPLOS 2010). Every task has a random priority, and the one with the highest goes on; at depth-1 steps,
// chosen at random, the priority of who goes on falls below those that all others began with. A bug that depth orderings bring about shows in one
// schedule with a probability of at least 1/(n·k^(depth-1)), for n tasks and k switches.
//
// Tasks are born while a world runs, and get their priorities then. A task that spins falls to the bottom, or it would keep
// those from going on whom it waits for. Questions other than switches are answered at random.
type PCT struct {
	rest       *Random
	rand       *rand.Rand
	priorities map[*sched.Task]float64
	changes    map[int]float64 // the priority that who goes on at this switch gets
	switches   int
	bottom     float64 // below all priorities so far
}

// NewPCT returns the strategy of one schedule, for a depth of at least 1 and a world of about so many switches.
func NewPCT(seed uint64, schedule, depth, switches int) *PCT {
	r := rand.New(rand.NewPCG(seed, uint64(schedule)))
	p := &PCT{
		rest: newRest(seed, schedule), rand: r, priorities: map[*sched.Task]float64{}, changes: map[int]float64{},
		bottom: float64(-depth),
	}
	for i := range depth - 1 {
		p.changes[r.IntN(max(switches, 1))] = float64(-i) - 0.5 // base priorities are from 0 to 1
	}
	return p
}

// Choose implements sched.Chooser.
func (p *PCT) Choose(q sched.Question) int {
	if q.Asker != sched.AskSwitch {
		return p.rest.Choose(q)
	}
	top := 0
	for i, t := range q.Tasks {
		if t == q.After && t.Spins() { // another one that has spun is down there already
			p.bottom--
			p.priorities[t] = p.bottom
		}
		if p.priority(t) > p.priority(q.Tasks[top]) {
			top = i
		}
	}
	if low, ok := p.changes[p.switches]; ok {
		p.priorities[q.Tasks[top]] = low
	}
	p.switches++
	return top
}

func (p *PCT) priority(t *sched.Task) float64 {
	if _, ok := p.priorities[t]; !ok {
		p.priorities[t] = p.rand.Float64()
	}
	return p.priorities[t]
}
