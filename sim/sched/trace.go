package sched

import (
	"strconv"
	"time"
)

// Event is one entry of a trace: a step, or something that happened in one.
type Event struct {
	Step    int
	At      time.Duration // since the world began
	Task    string
	Text    string
	Site    *Site
	Kind    Kind   // what the step does; else Note, Call or LogLine
	ID      int    // of the task, from 1: names may be used again; 0 if it is no task's
	Process string // which run of which program the task belongs to; "world" for actors
	Object  int    // what the step is on, numbered by first use; 0 if on nothing that the scheduler knows
	Woken   int    // index, plus 1, of the event that let the step come, if the task had to wait for another's; else 0
	Races   int    // how many the detector had reported in this process before it
}

//go:norace
func (w *World) traceStep(t *Task) {
	e := Event{Step: w.steps, Text: t.next(), Site: t.op.Site, Kind: t.op.Kind, Woken: max(t.provider, 0), Races: RaceErrors()}
	if t.returning {
		e.Kind = Return
	}
	if t.op.Object != nil {
		e.Object = w.number(w.object(t.op.Object))
	}
	t.provider = 0
	w.traced(t, e)
	w.current = len(w.trace)
}

//go:norace
func (w *World) number(o *object) int {
	if o.number == 0 {
		w.numbered++
		o.number = w.numbered
	}
	return o.number
}

// note traces something that is no task's step.
func (w *World) note(verb, what string) {
	w.hash = mixString(mixString(w.hash, verb), what)
	if w.options.Trace {
		w.traced(nil, Event{Step: w.steps, Task: what, Text: verb, Kind: Note, Process: what})
		w.current = len(w.trace)
	}
}

//go:norace
func (w *World) traced(t *Task, e Event) {
	e.At = time.Duration(now() - w.began)
	if t != nil {
		e.Task, e.ID, e.Process = t.name, t.id+1, t.proc.label()
	}
	w.trace = push(w.trace, e)
}

// credit notes of each task that has just become enabled which event let it: waker, during which it did; 0 if nobody ran. A
// task that was never kept, or tries again and again, has nobody to thank.
//
//go:norace
func (w *World) credit(waker int) {
	for _, t := range w.live {
		switch {
		case t.state != parked:
		case !t.enabled && !t.returning:
			t.provider = 0
		case t.provider != 0:
		case waker == 0 || t == w.last || t.op.Kind == Poll:
			t.provider = -1
		default:
			t.provider = waker
		}
	}
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
		w.traced(t, Event{Step: w.steps, Text: verb + " " + object + " @" + strconv.FormatInt(revision, 10), Kind: Call})
	}
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
		w.traced(t, Event{Step: w.steps, Text: "log " + message + rest, Kind: LogLine})
	}
}
