package sim

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// turn is when a choice was made, and whom it passed over.
type turn struct {
	Step   int
	Passed int // the task's id, from 1; 0 if none
}

// turnsOf lists those of the choices that are not 0.
func turnsOf(r sched.Result) []turn {
	var turns []turn
	for _, c := range r.Choices {
		if c.Answer != 0 {
			turns = append(turns, turn{int(c.Step), int(c.Passed.Task) + 1})
		}
	}
	return turns
}

// maxFlips is how many choices a tape may have for each to be tried without.
const maxFlips = 12

// explain says of each finding why it came about.
func (x *exploration) explain() {
	if !x.options.check || x.isolated.Load() {
		return
	}
	p := x.spareProcess()
	for i, t := range x.tapes {
		if x.summary.Findings[i].wanted() {
			x.summary.Findings[i].Explanation, p = x.explainOne(p, t)
		}
	}
	x.release(p)
}

// explainOne plays a tape with a trace, and without each of its choices. A finding that did not show again, or whose world
// nobody can tell, has no explanation.
func (x *exploration) explainOne(p *process, t *tape.Tape) ([]string, *process) {
	if t.BySeed || t.Kind == "nondeterminism" || t.Kind == "hang" || len(t.Entries) > maxFlips {
		return nil, p
	}
	s := &shrinking{x: x, p: p, tape: t}
	c := &cause{entries: t.Entries}
	if _, s.p = x.watch(s.p, t, c, request{Explain: true}); c.trace == nil {
		return nil, s.p
	}
	for i := range t.Entries {
		_, shown := s.Try(slices.Delete(slices.Clone(t.Entries), i, i+1))
		c.needed = append(c.needed, !shown)
	}
	return c.text(), s.p
}

// watch plays a tape until its finding is seen: the detector drops some.
func (x *exploration) watch(p *process, t *tape.Tape, c *cause, r request) (o outcome, _ *process) {
	r.Seed, r.Schedule, r.Tape, r.Repeat = t.Seed, t.Schedule, t, 1
	for range triesOfRace * triesOfRace {
		if o, p = x.one(p, r); c.see(t, o) || t.Kind != "data-race" {
			break
		}
	}
	return o, p
}

// cause is what replays of a shrunk tape told about its finding.
type cause struct {
	finding sched.Finding
	trace   []sched.Event
	entries []tape.Entry
	turns   []turn
	needed  []bool // is the finding gone without this entry
	cells   []cell
	earlier int // the step of a race's first access
}

// see takes over what a traced replay showed, if the finding is there.
func (c *cause) see(t *tape.Tape, o outcome) bool {
	for _, f := range o.Findings {
		if key(f.Kind, f.Property, f.Place) == key(t.Kind, t.Property, t.Place) {
			c.finding, c.trace, c.turns = f, o.Trace, o.Turns
			if f.Kind == "data-race" && len(c.trace) > 0 {
				c.locate(f.Report)
			}
			return len(c.trace) > 0
		}
	}
	return false
}

// text is the explanation: why, and then the tasks side by side.
func (c *cause) text() []string {
	pair := c.pair()
	c.collect(pair)
	lines := c.why(pair)
	if tasks := c.tasks(); len(tasks) > 0 {
		lines = append(lines, "")
		lines = append(lines, columns(c.shown(tasks), tasks, c.names(), textWidth-2)...)
	}
	return lines
}

// pair is the switch that decides: the last one that the finding needs, at one of its places if there is one such; or -1.
func (c *cause) pair() int {
	best := -1
	for i, e := range c.entries {
		if e.Asker != "switch" || !c.needed[i] {
			continue
		}
		if best < 0 || c.concerns(e) || !c.concerns(c.entries[best]) {
			best = i
		}
	}
	return best
}

// concerns says whether who was passed over waits at one of the finding's places.
func (c *cause) concerns(e tape.Entry) bool {
	return slices.ContainsFunc(c.finding.Parties, func(p sched.Party) bool {
		return p.Place != "" && strings.HasSuffix(e.Passed, " at "+p.Place)
	})
}

// why says in sentences what the finding needs and what is missing.
func (c *cause) why(pair int) []string {
	var lines []string
	say := func(indent, format string, args ...any) {
		lines = append(lines, wrap(fmt.Sprintf(format, args...), indent, textWidth-2-len(indent))...)
	}
	all := !slices.Contains(c.needed, false)
	switch {
	case len(c.entries) == 0:
		say("", "It shows in the dullest schedule: nobody is interrupted, and nothing goes wrong.")
	case all:
		say("", "It takes this; leave %s out, and it does not show:", oneOf(len(c.entries)))
	default:
		say("", "It takes some of this; other choices may do in place of the rest:")
	}
	for i, e := range c.entries {
		if i == maxTold && len(c.entries) > maxTold+1 {
			say("", "… and %d more choices, on the tape", len(c.entries)-i)
			break
		}
		say("  ", "- %s", brief(e))
	}
	if pair >= 0 {
		passed, _, _ := strings.Cut(c.entries[pair].Passed, ": ")
		say("", "The order that decides: %s goes on before %s does. The other way round it does not show.", c.entries[pair].Task, passed)
	}
	for _, line := range c.missing() {
		say("", "%s", line)
	}
	return lines
}

// maxTold is how many choices an explanation tells.
const maxTold = 4

// brief tells a choice as story does, but in one or two lines.
func brief(e tape.Entry) string {
	e.Passed, e.What = "", cut(e.What, maxOp)
	return e.Told()
}

// maxOp bounds how much of an operation's text a choice is told with.
const maxOp = 44

func oneOf(n int) string {
	if n == 1 {
		return "it"
	}
	return "any one"
}

// missing says what is not there that would have prevented the finding.
func (c *cause) missing() []string {
	switch c.finding.Kind {
	case "data-race":
		return []string{"No lock, channel or wait orders the two accesses (marked >)."}
	case "concurrent-map":
		var held []string
		for _, p := range c.finding.Parties {
			held = append(held, p.Task+" holds "+locks(p.Holds))
		}
		return []string{"Nothing orders the two uses of the map (marked >): " + strings.Join(held, ", ") + "."}
	}
	var lines []string
	for _, p := range c.parties() {
		if p.Missing != "" {
			lines = append(lines, p.Task+" waits: "+p.Missing+".")
		}
	}
	return lines
}

func locks(places []string) string {
	if len(places) == 0 {
		return "no lock"
	}
	return "the lock taken at " + strings.Join(places, " and at ")
}

// sourceLine is a line of the program, without the space around it, or "".
func sourceLine(place string) string {
	path, line := split(place)
	if line < 1 {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(info.ModuleDir, path)
	}
	text, err := os.ReadFile(path)
	if lines := strings.Split(string(text), "\n"); err == nil && line <= len(lines) {
		return strings.TrimSpace(lines[line-1])
	}
	return ""
}

// names are those of the tasks, by id.
func (c *cause) names() map[int]string {
	names := map[int]string{}
	for _, e := range c.trace {
		if e.ID > 0 {
			names[e.ID] = e.Task
		}
	}
	for _, p := range c.finding.Parties {
		if p.ID != 0 && p.Task != "" {
			names[p.ID] = p.Task
		}
	}
	return names
}

// byTime sorts cells as they happened.
func byTime(a, b cell) int { return cmp.Compare(a.step, b.step) }
