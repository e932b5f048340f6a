package sched

import (
	"runtime"
	"unsafe"
)

// HandleEvent runs f as the handling of one event by the calling task: a task that blocks for ever inside is stuck, one that
// blocks outside may be idle.
func HandleEvent(what string, f func()) {
	t := Hold()
	t.setEvent(what)
	f()
	t.setEvent("")
}

//go:norace
func (t *Task) setEvent(what string) {
	if t != nil {
		t.event = what
	}
}

// Undivided runs f as a part of the present step: there is no point before what it reads and writes.
func Undivided(f func()) {
	t := Current()
	t.divide(1)
	defer t.divide(-1)
	f()
}

//go:norace
func (t *Task) divide(change int) {
	if t != nil {
		t.undivided += change
	}
}

// die ends the calling task.
//
//go:norace
func (t *Task) die() {
	t.dying = true
	t.exit()
}

// exit runs the deferred calls of a task that dies, and ends it. No real process would run them, so what they do must not
// count as a race: each dying task comes after all that the others did.
//
//go:norace
func (t *Task) exit() {
	if !without.LastRites {
		acquire(unsafe.Pointer(&t.world.deaths))
	}
	runtime.Goexit()
}
