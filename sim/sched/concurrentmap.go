package sched

import (
	"fmt"
	"testing/synctest"
	"unsafe"
)

// checkMap reports two tasks that are both about to touch one map, one of them writing: nothing orders them, and the
// runtime of a real process would end it with "concurrent map read and map write". It is called once t has parked.
//
//go:norace
func (w *World) checkMap(t *Task) {
	for _, other := range w.live {
		if other == t || other.state != parked || other.returning || other.op.Object != t.op.Object {
			continue
		}
		if k := other.op.Kind; k == MapWrite || k == MapRead && t.op.Kind == MapWrite {
			w.clash = [2]*Task{t, other}
		}
	}
}

// reportClash makes a finding of what checkMap saw.
func (w *World) reportClash() {
	a, b := w.clash[0], w.clash[1]
	w.clash = [2]*Task{}
	if a.id > b.id {
		a, b = b, a
	}
	if w.known("concurrent-map", a.op.Site.Position()) {
		return
	}
	synctest.Wait() // in plain sight: the text is made of strings that tasks wrote
	what := "concurrent map writes"
	if a.op.Kind != b.op.Kind {
		what = "concurrent map read and map write"
	}
	w.Report(Finding{
		Kind: "concurrent-map", Place: a.op.Site.Position(),
		Summary: fmt.Sprintf("%s: %s at %s, %s at %s", what, a.next(), a.op.Site.Position(), b.next(), b.op.Site.Position()),
		Detail: fmt.Sprintf("%s is about to %s at %s in %s\n%s is about to %s at %s in %s\n",
			a.name, a.op.Kind, a.op.Site.Position(), a.function(), b.name, b.op.Kind, b.op.Site.Position(), b.function()),
		Parties: []Party{w.party(a), w.party(b)},
	})
}

// TouchMap is the point before a map that other goroutines can reach is read or written.
//
//go:norace
func TouchMap(p unsafe.Pointer, write bool, site *Site) {
	site.Reach()
	if !Shared() {
		return
	}
	op := Op{Kind: MapRead, Site: site, Object: p}
	if write {
		op.Kind = MapWrite
	}
	Enter(op)
}
