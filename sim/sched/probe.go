package sched

import (
	"fmt"
	"testing/synctest"
)

// Culprit is who changed memory that nobody may change.
type Culprit struct {
	Place string // the point behind which it did
	Text  string
}

// SetProbe has f called after every step, until it returns true: then the step before it is the culprit. To look at memory
// after each step orders what the tasks do, so races of such a world mean nothing.
func (w *World) SetProbe(f func() bool) { w.probe = f }

// look calls the probe.
func (w *World) look() {
	if w.probe == nil || w.last == nil {
		return
	}
	synctest.Wait() // in plain sight: the probe reads what tasks wrote
	if w.probe() {
		w.probe = nil
		w.culprit = w.last.accused(w.left, w.handled)
	}
}

func (t *Task) accused(left *Site, event string) Culprit {
	text := t.name
	if event == "" {
		event = t.event
	}
	if event != "" {
		text += ", which handles " + event + ","
	}
	if left.Position() != "" {
		text += fmt.Sprintf(" did it behind %s at %s", left.Op, left.Position())
	} else {
		text += " did it"
	}
	if t.state != done && t.op.Site.Position() != "" {
		text += " and before " + t.describe()
	}
	return Culprit{Place: left.Position(), Text: text}
}
