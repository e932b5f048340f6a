package sched

import (
	"fmt"
	"slices"
	"strconv"
	"testing/synctest"
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
	Report   int    // of a race: which of the detector's reports in this world, from 1
	Parties  []Party
}

// Party is a task that a finding is about, at the moment of the finding.
type Party struct {
	ID      int    // of the task, from 1, as in events
	Task    string // its name
	Does    string // what it is about to do, or blocked in
	Place   string
	Holds   []string // where it took the locks that it holds
	Inside  []Frame  // the calls around it, the innermost first, where only those are known and not the task
	Missing string   // of a task that waits: who could have provided what it waits for, and where that one is
}

// Frame is a call on a stack, or the place that the innermost one is at.
type Frame struct {
	Func  string // with its package, such as "example.com/m/monitor.(*handover).notify"
	Place string // file:line
}

// party describes a task for a finding.
func (w *World) party(t *Task) Party {
	p := Party{ID: t.id + 1, Task: t.name, Does: t.next(), Place: t.op.Site.Position()}
	switch t.op.Kind {
	case MapRead, MapWrite, RangeMap:
		p.Does = t.op.Kind.String() + ": " + p.Does
	}
	for _, o := range w.objects.slots {
		if o != nil && (o.holder == t || o.readers > 0 && o.reader == t) {
			p.Holds = append(p.Holds, o.site.Position())
		}
	}
	slices.Sort(p.Holds)
	return p
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
		Parties: []Party{{ID: t.id + 1, Task: t.name, Does: fmt.Sprint("panic: ", value), Place: place}},
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

func itoa(n int) string { return strconv.Itoa(n) }

// Result is what a world showed.
type Result struct {
	Hash      uint64
	Order     uint64 // equal for worlds that differ only in the order of steps that commute
	Moves     []Move // if they are kept
	Stop      int    // how many choices there were before the processes were told to stop
	Pending   []Move // what tasks still waited to do when the world was quiescent or over
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
		Hash: w.hash, Order: w.interleaving(), Moves: w.moves, Stop: w.stopped, Pending: w.pending, Steps: w.steps, Effects: w.effects, Findings: w.findings, Choices: w.choices.all(), Trace: w.trace,
		Reached: w.reached, Abandoned: w.abandoned, Names: w.names, Counts: w.counts, Culprit: w.culprit,
	}
	for _, p := range w.processes {
		r.Crashes += p.crashes
	}
	return r
}
