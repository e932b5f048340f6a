package explore

import (
	"math/rand/v2"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Random is a seeded random walk: each question is answered uniformly, except that a rare one is mostly answered 0. The
// generator is PCG-DXSM of math/rand/v2, which is stable across Go versions.
type Random struct{ rand *rand.Rand }

// NewRandom returns the random walk of one schedule. Equal seeds and schedules give equal answers.
func NewRandom(seed uint64, schedule int) *Random {
	return &Random{rand.New(rand.NewPCG(seed, uint64(schedule)))}
}

// newRest answers, for a strategy of priorities, what is no switch. Its stream is another one than the strategy's own: else
// what the scenario chooses would go with when the tasks are switched.
func newRest(seed uint64, schedule int) *Random { return NewRandom(seed^0x9e3779b97f4a7c15, schedule) }

// Choose implements sched.Chooser.
func (r *Random) Choose(q sched.Question) int {
	if q.Rare > 1 {
		if r.rand.IntN(q.Rare) != 0 {
			return 0
		}
		return 1 + r.rand.IntN(q.N-1)
	}
	return r.rand.IntN(q.N)
}
