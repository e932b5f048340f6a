package explore

import "github.com/snapstorm/snapstorm/sim/sched"

// portfolio splits the schedules among the strategies that need nothing but a seed: what one of them is blind to another one
// finds.
var portfolio = []string{"random", "pct", "pos"}

// NewPortfolio returns the strategy that a schedule falls to.
func NewPortfolio(seed uint64, schedule, switches int) sched.Chooser {
	c, err := New(portfolio[(schedule-1)%len(portfolio)], seed, schedule, switches)
	if err != nil {
		panic("explore: the portfolio has a strategy that does not exist: " + err.Error())
	}
	return c
}
