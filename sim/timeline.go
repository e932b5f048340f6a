package sim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/snapstorm/snapstorm/sim/internal/atomicfile"
	"github.com/snapstorm/snapstorm/sim/report"
	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// timelineOf makes the events and choices of a timeline from what a traced world showed.
func timelineOf(r sched.Result) *report.Timeline {
	t := &report.Timeline{Choices: choicesOf(r)}
	lanes := map[int]int{} // by task
	for _, e := range r.Trace {
		lane, known := lanes[e.ID]
		switch {
		case e.ID == 0:
			lane = -1
		case !known:
			lane = len(t.Lanes)
			lanes[e.ID] = lane
			t.Lanes = append(t.Lanes, report.Lane{Name: e.Task, Group: e.Process})
		}
		t.Events = append(t.Events, report.Event{
			Step: e.Step, At: e.At, Lane: lane, Kind: e.Kind.String(), Inside: e.Kind == sched.Call || e.Kind == sched.LogLine,
			Text: whatOf(e), Place: e.Site.Position(), Object: e.Object, Woken: e.Woken - 1,
		})
	}
	for i := range t.Choices {
		if lane, ok := lanes[t.Choices[i].Passed+1]; ok {
			t.Choices[i].Passed = lane
		} else {
			t.Choices[i].Passed = -1
		}
	}
	return t
}

// whatOf is what an event is, in words. A task that goes on after it waited says with what.
func whatOf(e sched.Event) string {
	switch {
	case e.ID == 0:
		return e.Text + ": " + e.Task
	case e.Kind == sched.Return && e.Site != nil && e.Site.Op != "":
		return "go on after " + e.Site.Op
	case e.Kind == sched.LogLine:
		return strings.TrimPrefix(e.Text, "log ")
	}
	return e.Text
}

// maxListed is how many choices a page lists in words: a tape with more was not shrunk.
const maxListed = 200

// choicesOf lists the choices that are not 0. Passed is the task, by id.
func choicesOf(r sched.Result) []report.Choice {
	entries := entriesOf(r)
	var choices []report.Choice
	for _, c := range r.Choices {
		if c.Answer == 0 {
			continue
		}
		one := report.Choice{Step: int(c.Step), Asker: sched.AskerNames[c.Asker], Passed: int(c.Passed.Task)}
		if i := len(choices); len(entries) <= maxListed && i < len(entries) {
			one.Text = entries[i].Told()
		}
		choices = append(choices, one)
	}
	return choices
}

// errNoSteps is why a world that ends its process has no timeline.
var errNoSteps = errors.New("the world ends its process, so nobody can tell its steps")

// saveTimeline plays a tape once more, and writes the page of its world to a file. It returns the worker, if that is still
// there: see one.
func (x *exploration) saveTimeline(p *process, t *tape.Tape, tapePath, path string) (*process, error) {
	c := &cause{}
	o, p := x.watch(p, t, c, request{Timeline: true, Explain: true})
	if o.Timeline == nil {
		return p, errNoSteps
	}
	line := o.Timeline
	line.Finding = findingOf(t, o, c)
	line.Run = facts(t, o, line)
	line.Replay = "go tool snapstorm replay " + here(tapePath)
	root, err := os.OpenRoot(info.ModuleDir)
	if err != nil {
		return p, err
	}
	defer root.Close()
	text, err := report.Page(*line, root.ReadFile)
	if err != nil {
		return p, err
	}
	return p, atomicfile.Write(path, text)
}

// findingOf is the finding of a tape, with the details that its world showed this time.
func findingOf(t *tape.Tape, o outcome, c *cause) report.Finding {
	f := report.Finding{Kind: t.Kind, Summary: t.Summary}
	if t.Place != "" {
		f.Places = strings.Split(t.Place, ", ")
	}
	for _, g := range o.Findings {
		if key(g.Kind, g.Property, g.Place) == key(t.Kind, t.Property, t.Place) {
			f.Summary, f.Detail, f.Step = g.Summary, g.Detail, g.Step
		}
	}
	if t.Kind == "data-race" && c.trace != nil {
		f.Step, f.Race = c.finding.Step, c.accesses()
	}
	return f
}

// facts are what the head of a page says of a world.
func facts(t *tape.Tape, o outcome, line *report.Timeline) []report.Fact {
	took := time.Duration(0)
	if n := len(line.Events); n > 0 {
		took = line.Events[n-1].At.Round(time.Millisecond)
	}
	all := []report.Fact{
		{Name: "test", Value: filepath.Base(t.Package) + " " + t.Test}, {Name: "subject", Value: t.Subject},
		{Name: "seed", Value: strconv.FormatUint(t.Seed, 10)}, {Name: "strategy", Value: t.Strategy},
		{Name: "schedule", Value: strconv.Itoa(t.Schedule)}, {Name: "shrunk", Value: t.Shrunk}, {Name: "reported", Value: t.Reported},
		{Name: "steps", Value: strconv.Itoa(o.Steps)}, {Name: "tasks", Value: strconv.Itoa(len(line.Lanes))},
		{Name: "crashes", Value: strconv.Itoa(o.Crashes)}, {Name: "virtual time", Value: took.String()},
	}
	kept := all[:0]
	for _, f := range all {
		if f.Value != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

// showTimeline writes the page that -sim.html asks for, if it does. Where there can be none, what the replay showed counts all the same.
func (x *exploration) showTimeline(t *tape.Tape) {
	if flags.html == "" {
		return
	}
	p, err := x.saveTimeline(nil, t, flags.replay, flags.html)
	if p != nil {
		p.close()
	}
	switch {
	case errors.Is(err, errNoSteps):
		fmt.Fprintln(os.Stderr, "-sim.html: no timeline:", err)
	case err != nil:
		misuse("-sim.html: %v", err)
	default:
		fmt.Println("timeline:", flags.html)
	}
}
