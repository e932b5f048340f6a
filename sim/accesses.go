package sim

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Whose a race's two accesses were, and when. The detector names only the calls around them.

// unknown is the id of a task that nobody can tell.
const unknown = -1

// locate finds the tasks and steps of a race's two accesses. The second one is of the step during which the detector reported
// the nth race; the first one is of another task's last step before it in the same function, or else in the nearest of its
// callers.
func (c *cause) locate(nth int) {
	parties := c.finding.Parties
	if len(parties) != 2 {
		return
	}
	at := len(c.trace) - 1
	for i := 1; i < len(c.trace); i++ {
		if c.trace[i].Races >= c.trace[0].Races+nth {
			at = i - 1
			break
		}
	}
	for at > 0 && !isStep(c.trace[at]) {
		at--
	}
	second := c.trace[at]
	parties[0].ID, c.finding.Step = second.ID, second.Step
	parties[1].ID, parties[1].Task, c.earlier = unknown, "another task, earlier", second.Step-1
	if e, found := lastInside(c.trace[:at], parties[1].Inside, second.ID); found {
		parties[1].ID, parties[1].Task, c.earlier = e.ID, e.Task, e.Step
	}
}

// lastInside returns the last step of another task than this one that is in the innermost of these calls, of those that have
// any. A step in a caller is one at or above the line of the call; that of a goroutine's start is in the function with its go
// statement.
func lastInside(trace []sched.Event, calls []sched.Frame, id int) (sched.Event, bool) {
	for depth, call := range calls {
		line, name := lineOf(call.Place), nameOf(call.Func)
		if depth == 0 { // what comes below the access may be the end of its step
			line = math.MaxInt
		}
		for i := len(trace) - 1; i >= 0; i-- {
			e := trace[i]
			if isStep(e) && e.ID != id && e.Site != nil && e.Site.Func == name && e.Site.Line <= line {
				return e, true
			}
		}
	}
	return sched.Event{}, false
}

// closures is what the compiler puts into the names of functions that are written inside others, or have type parameters.
var closures = regexp.MustCompile(`\[\.\.\.\]|(\.(func|gowrap|deferwrap)?\d+)+$`)

// nameOf returns the name that sites have for a function: without its package, and that of the one it is written in.
func nameOf(function string) string {
	function = closures.ReplaceAllString(function, "")
	_, name, _ := strings.Cut(function[strings.LastIndex(function, "/")+1:], ".")
	return name
}

// lineOf returns the line of a place, or 0.
func lineOf(place string) int {
	line, err := strconv.Atoi(place[strings.LastIndex(place, ":")+1:])
	if err != nil {
		return 0
	}
	return line
}

// accessStep is about when an access of a race was.
func (c *cause) accessStep(p sched.Party) int {
	if p.ID == c.finding.Parties[0].ID {
		return c.finding.Step
	}
	return c.earlier
}

// stepsAt returns in which step each of a race's places was run, or 0 where nobody can tell.
func (c *cause) stepsAt(places []string) []int {
	steps := make([]int, len(places))
	for _, p := range c.finding.Parties {
		if i := slices.Index(places, p.Place); i >= 0 && p.ID > 0 {
			steps[i] = c.accessStep(p)
		}
	}
	return steps
}
