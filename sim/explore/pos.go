package explore

import (
	"math/rand/v2"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// POS is the strategy of Yuan, Yang and Gu, "Partial Order Aware Concurrency Sampling" (CAV 2018). The next operation of every
// task has a random priority, and the one with the highest is done. Operations that conflict with it, for they are on the same
// object, get new priorities, so that all orders of conflicting operations are about as likely. Operations that the scheduler
// knows no object of, such as those on memory and selects, conflict with none. Questions other than switches are answered at random.
type POS struct {
	rest       *Random
	rand       *rand.Rand
	priorities map[*sched.Task]float64 // of a task's next operation
}

// NewPOS returns the strategy of one schedule.
func NewPOS(seed uint64, schedule int) *POS {
	return &POS{newRest(seed, schedule), rand.New(rand.NewPCG(seed, uint64(schedule))), map[*sched.Task]float64{}}
}

// Choose implements sched.Chooser.
func (p *POS) Choose(q sched.Question) int {
	if q.Asker != sched.AskSwitch {
		return p.rest.Choose(q)
	}
	top := 0
	for i, t := range q.Tasks {
		if _, ok := p.priorities[t]; !ok {
			p.priorities[t] = p.rand.Float64()
		}
		if p.rank(t) > p.rank(q.Tasks[top]) {
			top = i
		}
	}
	chosen := q.Tasks[top]
	delete(p.priorities, chosen)
	for _, t := range q.Tasks {
		if t != chosen && t.Conflicts(chosen) {
			delete(p.priorities, t)
		}
	}
	return top
}

// rank puts a task that spins behind all others.
func (p *POS) rank(t *sched.Task) float64 {
	if t.Spins() {
		return p.priorities[t] - 1
	}
	return p.priorities[t]
}
