package sched

import "unsafe"

// lineage is what is known of a channel that the end of a context closes.
type lineage struct {
	isDone   bool    // it is one
	known    bool    // where it comes from is known
	parent   *object // nil if it has none, or none that is known
	children []*object
}

// foreign stands for all contexts that come of others in code that is not instrumented: which of them end with the one
// that is cancelled is not known.
var foreign byte

//go:norace
func (w *World) doneObject(done <-chan struct{}) *object {
	if done == nil {
		return nil
	}
	o := w.object(PointerOf(&done))
	o.isDone = true
	return o
}

// Derived tells that the calling task made a context of another one. Both are named by their channels.
//
//go:norace
func Derived(parent, child <-chan struct{}) {
	t := Hold()
	if t == nil {
		return
	}
	o := t.world.doneObject(child)
	if o.known || child == parent { // all contexts that have ended before anybody asked share one channel
		return
	}
	if o.known = true; parent == nil {
		return
	}
	o.parent = t.world.doneObject(parent)
	o.parent.children = push(o.parent.children, o)
}

// IsDone tells that a channel is closed by the end of a context.
//
//go:norace
func IsDone(done <-chan struct{}) {
	if t := Hold(); t != nil {
		t.world.doneObject(done)
	}
}

// Asks tells that the calling task looks whether a context has ended, without a point.
//
//go:norace
func Asks(done <-chan struct{}) {
	t := Hold()
	if t == nil || done == nil {
		return
	}
	t.world.usesCase(t.world.doneObject(done), Reads)
}

// Cancels tells that the calling task is about to end a context.
//
//go:norace
func Cancels(done <-chan struct{}) {
	t := Hold()
	if t == nil {
		return
	}
	o := t.world.doneObject(done)
	if p := o.parent; p != nil {
		p.children = removeObject(p.children, o)
	}
	t.world.cancels(o)
	t.world.use(unsafe.Pointer(&foreign), Writes)
}

//go:norace
func (w *World) cancels(o *object) {
	w.uses = push(w.uses, usage{o, Writes})
	for _, child := range o.children {
		w.cancels(child)
	}
}

//go:norace
func removeObject(s []*object, o *object) []*object {
	for i := range s {
		if s[i] == o {
			s[i] = s[len(s)-1]
			s[len(s)-1] = nil
			return s[:len(s)-1]
		}
	}
	return s
}
