package sim

import "github.com/snapstorm/snapstorm/sim/sched"

// Without returns the options with parts of the scheduler left out.
func (o Options) Without(m sched.Mechanisms) Options {
	o.without = m
	return o
}

// HangAfter returns the options with another bound for a task that reaches no point.
func (o Options) HangAfter(seconds int) Options {
	o.hangSeconds = seconds
	return o
}

// By returns the options with another strategy.
func (o Options) By(strategy string) Options {
	o.strategy = strategy
	return o
}

// Shrunk has Explore shrink tapes as Check does.
func (o Options) Shrunk() Options {
	o.check = true
	return o
}
