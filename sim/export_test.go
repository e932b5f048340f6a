package sim

import (
	"encoding/json"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/snapstorm/snapstorm/sim/sched"
)

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

// DrawnBy is Rapid for tests that expect findings: it returns them.
func DrawnBy[V any](t *testing.T, values *rapid.Generator[V], scenario func(*World, V)) []Finding {
	return drawn(t, Options{}, values, scenario)
}

// Survives is whether Rapid can hand a value to a worker.
func Survives[V any](v V) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return survives(v, text)
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

// Until sets -sim.until for the rest of a test.
func Until(t *testing.T, expression string) {
	before := *flags
	t.Cleanup(func() { *flags = before })
	flags.until, flags.wanted = expression, regexp.MustCompile(expression)
}
