package sched

import (
	"unsafe"

	"github.com/petermattis/goid"
)

// active is the world whose bubble is running in this process, if any. A process runs one world at a time.
var active *World

//go:norace
func currentGoid() int64 { return goid.Get() }

// self returns the calling goroutine's task, and nil for the root and for goroutines from outside.
//
//go:norace
func (w *World) self() *Task {
	id := currentGoid()
	if t := w.running; t != nil && t.goid == id {
		return t
	}
	if id == w.rootGoid {
		return nil
	}
	if t := w.registry.find(id); t != nil {
		return t
	}
	return w.adopt(id)
}

//go:norace
func (w *World) onRoot() bool { return currentGoid() == w.rootGoid }

// Current returns the calling goroutine's task, or nil when it runs free.
//
//go:norace
func Current() *Task {
	if active == nil {
		return nil
	}
	return active.self()
}

// Enter is a point: it returns when the scheduler lets the calling task do op. It returns nil, at once, on a goroutine
// that the scheduler does not own: the caller then does the operation as if there was no scheduler.
//
//go:norace
func Enter(op Op) *Task {
	w := active
	if w == nil {
		return nil
	}
	t := w.self()
	if t == nil {
		return nil
	}
	op.Site.Reach()
	if t.undivided > 0 && op.Kind.touches() {
		t.answer = 0
		return t
	}
	if op.Kind.waits() {
		w.hold(t)
	}
	w.reached = true
	t.op = op
	w.parkAs(t)
	if op.Elem != nil {
		t.Uses(op)
	}
	return t
}

// Hold returns the calling task, after making sure that it holds the token; nil for a goroutine that runs free. It is
// for operations that are no point, such as an unlock.
//
//go:norace
func Hold() *Task {
	w := active
	if w == nil {
		return nil
	}
	t := w.self()
	if t != nil {
		w.hold(t)
	}
	return t
}

// Back makes a task that comes back from a library wait for its turn. It is no point for a task that never lost it.
//
//go:norace
func Back() {
	if active != nil {
		Hold()
	}
}

// Block announces that t is about to block in the native operation of its last point.
//
//go:norace
func (t *Task) Block() { t.state = blocked }

// Unblock is called after the native operation is done: t waits for its turn before it goes on.
//
//go:norace
func (t *Task) Unblock() {
	t.world.hold(t)
	if t.dying {
		t.exit()
	}
}

// Level is the granularity of points.
type Level uint8

// The levels: LevelSync has points at synchronisation only; LevelShared also before statements that touch memory which
// other goroutines can reach.
const (
	LevelSync Level = iota
	LevelShared
)

// Shared says whether the world that runs now has points before statements that touch shared memory.
//
//go:norace
func Shared() bool { return active != nil && active.options.Level >= LevelShared }

// PointerOf returns the identity of a channel or map: the address of what it refers to.
//
//go:norace
func PointerOf[T any](ref *T) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(ref)) }
