package sched

import "testing/synctest"

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
		w.culprit = w.last.accused(w.left)
	}
}

// left is the point that the last step began at.
type left struct {
	site  *Site
	what  string
	event string // that the step was part of
}

func (t *Task) accused(from left) Culprit {
	text := t.name
	if from.event != "" {
		text += ", which handles " + from.event + ","
	}
	text += " did it behind " + from.what
	if t.state != done && t.op.Site.Position() != "" {
		text += " and before " + t.describe()
	}
	return Culprit{Place: from.site.Position(), Text: text}
}
