package sched

import (
	"fmt"
	"strconv"
	"testing/synctest"
	"time"
)

// Finding is something that a world showed to be wrong.
type Finding struct {
	Kind     string // data-race, concurrent-map, panic, deadlock, stuck, leak, property, hang, nondeterminism
	Property string // of kind property
	Place    string // file:line, if it has one; with Kind and Property it identifies the flaw
	Summary  string // one line
	Detail   string // more lines
	Step     int
	Suspect  string // of a property of memory that nobody may change: what was changed
}

// Report adds a finding. The first one of a place stays, later ones like it are dropped.
//
//go:norace
func (w *World) Report(f Finding) {
	if f.Kind != "property" && w.known(f.Kind, f.Place) {
		return
	}
	f.Step = w.steps
	w.findings = push(w.findings, f)
	w.hash = mixString(mixString(w.hash, f.Kind), f.Place)
}

//go:norace
func (w *World) known(kind, place string) bool {
	for i := range w.findings {
		if w.findings[i].Kind == kind && w.findings[i].Place == place {
			return true
		}
	}
	return false
}

// Stop ends the world after the current step.
//
//go:norace
func (w *World) Stop() { w.over = true }

// panicked records that a task's goroutine panicked: in a real process that is the end.
func (w *World) panicked(t *Task, value any, stack string) {
	if t.dying {
		return
	}
	place, frames := ownFrames(stack)
	w.Report(Finding{
		Kind: "panic", Place: place, Summary: fmt.Sprintf("%s panicked: %v", t.name, value), Detail: frames,
	})
	w.Stop()
}

// Fatal reports a fault that the runtime cannot recover from, such as the unlock of an unlocked mutex, ends the world,
// and does not return.
func (t *Task) Fatal(message string, site *Site) {
	t.world.Report(Finding{
		Kind: "panic", Place: site.Position(), Summary: "fatal error: " + message + " by " + t.name + " at " + site.Position(),
	})
	t.world.Stop()
	t.die()
}

// livelock reports a world that never gets quiet.
func (w *World) livelock() {
	synctest.Wait() // in plain sight: the text is made of strings that tasks wrote
	t := w.candidates[0]
	w.Report(Finding{
		Kind: "hang", Place: t.op.Site.Position(),
		Summary: fmt.Sprintf("no end after %d steps; %s is at %s", w.options.MaxSteps, t.name, t.describe()),
	})
	w.over = true
}

// Event is one entry of a trace.
type Event struct {
	Step int
	At   time.Duration // since the world began
	Task string
	Text string
	Site *Site
}

//go:norace
func (w *World) traceStep(t *Task) {
	w.traced(Event{Step: w.steps, Task: t.name, Text: t.next(), Site: t.op.Site})
}

// note traces something that is no task's step.
func (w *World) note(verb, what string) {
	w.hash = mixString(mixString(w.hash, verb), what)
	if w.options.Trace {
		w.traced(Event{Step: w.steps, Task: what, Text: verb})
	}
}

//go:norace
func (w *World) traced(e Event) {
	e.At = time.Duration(now() - w.began)
	w.trace = push(w.trace, e)
}

// Effect records what the calling task just did to the world outside of its process: it is part of the hash.
//
//go:norace
func Effect(verb, object string, revision int64) {
	t := Hold()
	if t == nil {
		return
	}
	w := t.world
	w.effects++
	if !without.Effects {
		w.hash = mix(mixString(mixString(w.hash, verb), object), uint64(revision))
	}
	if w.options.Trace {
		w.traced(Event{Step: w.steps, Task: t.name, Text: verb + " " + object + " @" + strconv.FormatInt(revision, 10)})
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// Result is what a world showed.
type Result struct {
	Hash      uint64
	Steps     int
	Effects   int
	Crashes   int
	Findings  []Finding
	Choices   []Choice
	Trace     []Event
	Reached   bool     // some point was reached
	Abandoned int      // goroutines that could not be unwound
	Names     []string // of all tasks, by id
	Counts    []Count  // what occurred, by the order of its first time
	Culprit   Culprit  // whom the probe accuses
}

// Progress returns the number of steps of the world that runs now, or of the last one. Any goroutine may call it.
//
//go:norace
func Progress() (steps int, busy bool) {
	if active == nil {
		return 0, false
	}
	return active.steps, true
}

// Result returns what the world showed; call it after Run.
func (w *World) Result() Result {
	r := Result{
		Hash: w.hash, Steps: w.steps, Effects: w.effects, Findings: w.findings, Choices: w.choices.all(), Trace: w.trace,
		Reached: w.reached, Abandoned: w.abandoned, Names: w.names, Counts: w.counts, Culprit: w.culprit,
	}
	for _, p := range w.processes {
		r.Crashes += p.crashes
	}
	return r
}

// Traced says whether the world that runs now keeps its steps.
//
//go:norace
func Traced() bool { return active != nil && active.options.Trace }

// Log records a line that the calling task logged. The message is part of the hash; the rest is only for the trace.
//
//go:norace
func Log(message, rest string) {
	t := Hold()
	if t == nil {
		return
	}
	w := t.world
	w.hash = mixString(w.hash, message)
	if w.options.Trace {
		w.traced(Event{Step: w.steps, Task: t.name, Text: "log " + message + rest})
	}
}
