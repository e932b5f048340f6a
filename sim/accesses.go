package sim

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/snapstorm/snapstorm/sim/report"
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

// lastInside returns the last step of another task than this one that is in the innermost of these calls, of those that have any.
func lastInside(trace []sched.Event, calls []sched.Frame, id int) (sched.Event, bool) {
	for depth, call := range calls {
		for i := len(trace) - 1; i >= 0; i-- {
			if e := trace[i]; isStep(e) && e.ID != id && e.Site != nil && isInside(e, call, depth == 0) {
				return e, true
			}
		}
	}
	return sched.Event{}, false
}

// isInside says whether a step is in a call: in a caller at or above the line of its call, and in the innermost function
// anywhere, for what comes below the access may be the end of its step. The start of a goroutine has the place of its go
// statement, which is in the function around the one that it calls.
func isInside(e sched.Event, call sched.Frame, innermost bool) bool {
	file, line := split(call.Place)
	name := nameOf(call.Func)
	switch {
	case file != e.Site.File:
		return false
	case e.Kind == sched.Start:
		return closure.ReplaceAllString(name, "") == closure.ReplaceAllString(e.Site.Func, "") && e.Site.Line <= line
	}
	return name == e.Site.Func && (innermost || e.Site.Line <= line)
}

// closure is what the name of a function ends in that is written inside another one.
var closure = regexp.MustCompile(`(\.(func|gowrap|deferwrap)?\d+)+$`)

// nameOf returns the name that sites have for a function: without its package and type parameters.
func nameOf(function string) string {
	function = strings.ReplaceAll(function, "[...]", "")
	_, name, _ := strings.Cut(function[strings.LastIndex(function, "/")+1:], ".")
	return name
}

// split returns the file and the line of a place; the line is 0 if it has none.
func split(place string) (file string, line int) {
	at := strings.LastIndex(place, ":")
	if at < 0 {
		return place, 0
	}
	line, err := strconv.Atoi(place[at+1:])
	if err != nil {
		return place, 0
	}
	return place[:at], line
}

// accessStep is about when an access of a race was.
func (c *cause) accessStep(p sched.Party) int {
	if p.ID == c.finding.Parties[0].ID {
		return c.finding.Step
	}
	return c.earlier
}

// accesses are the places of a race, and in which step each was run, where anybody can tell, in the order of time.
func (c *cause) accesses() []report.Access {
	var all []report.Access
	for _, p := range c.finding.Parties {
		if p.ID > 0 {
			all = append(all, report.Access{Place: p.Place, Step: c.accessStep(p)})
		}
	}
	slices.SortFunc(all, func(a, b report.Access) int { return a.Step - b.Step })
	return all
}
