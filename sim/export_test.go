package sim

import "github.com/snapstorm/snapstorm/sim/sched"

// Without returns the options with parts of the scheduler left out.
func (o Options) Without(m sched.Mechanisms) Options {
	o.without = m
	return o
}
