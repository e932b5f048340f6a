package sim

import (
	"time"
	"unsafe"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// The functions of this file are for simulated parts of a world, such as a fake API server, which are not instrumented
// and name their points themselves. Outside of a world they do nothing, answer 0 or just call through, so that what is
// built on them works in plain tests too.

// Step is a point: the calling task is about to do verb to object. The scheduler may let other tasks go on first, and may
// crash the process here; then Step does not return.
func Step(verb, object string) {
	sched.Enter(sched.Op{Kind: sched.Step, Verb: verb, Name: object})
}

// Effect records what the calling task has just done outside of its process: a call that was answered, an event that was
// delivered. It is part of the world's hash, and never switches. Revision distinguishes effects of one name.
func Effect(verb, object string, revision int64) { sched.Effect(verb, object, revision) }

// Occurred counts n more of what name says, such as a fault, in the summary. With 0 it tells that such a thing may occur in
// this world, so that the summary can tell that it never did.
func Occurred(name string, n int) { sched.Occurred(name, n) }

// Violated reports that a property does not hold, and ends the world after the current step. It is for what a simulated part
// of the world watches over by itself. Outside of a world it panics.
func Violated(property, why string) { sched.Violated(property, why) }

// Ask is a point and a choice between n answers, 0 to n-1. Answer 0 must be the dullest: no fault, the smallest value. A
// rare of more than 1 asks for another answer about once in rare times. Label names the question on tapes.
func Ask(label string, n, rare int) int {
	t := sched.Enter(sched.Op{Kind: sched.Ask, Verb: label, N: n, Rare: rare})
	if t == nil || n < 2 {
		return 0
	}
	return t.Answer()
}

// Answered names, for the tape, the answer that the last Ask of the calling task got.
func Answered(name string) { sched.Answered(name) }

// Event runs f, the handling of one event. A task that blocks for ever inside is stuck, which is a finding; one that
// blocks outside of an event may just be waiting for work.
func Event(what string, f func()) { sched.HandleEvent(what, f) }

// Undivided runs f as a part of the present step: there is no point before what it reads and writes. It is for functions
// of the program, such as a deep copy, that a simulated part calls while it holds a lock of its own. Those must not wait.
func Undivided(f func()) { sched.Undivided(f) }

// The four functions below tell what the present step of the calling task uses of a simulated part's own memory, named by an
// address. An exhaustive search takes steps for such that commute if they use nothing in common, or only look at it; without a
// word it would leave out schedules that matter.

// Looked tells that the step looked at what p points to.
//
//go:norace
func Looked[T any](p *T) { sched.Used(unsafe.Pointer(p), sched.Reads) }

// Changed tells that the step changed what p points to.
//
//go:norace
func Changed[T any](p *T) { sched.Used(unsafe.Pointer(p), sched.Writes) }

// Provided tells that the step made what p points to, which others take up later, once each.
//
//go:norace
func Provided[T any](p *T) { sched.Used(unsafe.Pointer(p), sched.Gives) }

// Obtained tells that the step took up what another one provided. That it was not there yet is not to be told.
//
//go:norace
func Obtained[T any](p *T) { sched.Used(unsafe.Pointer(p), sched.Shares) }

// LookedIfClosed tells that the step looked whether a channel is closed, such as that of a context.
//
//go:norace
func LookedIfClosed(c <-chan struct{}) { sched.LooksIfClosed(c) }

// ClosedNow tells that the step closes a channel.
//
//go:norace
func ClosedNow(c chan struct{}) { sched.Used(sched.PointerOf(&c), sched.Writes) }

// Go starts f as a task, a child of the caller's. An empty name gives it one after its parent.
func Go(name string, f func()) { sched.Go(name, f, nil) }

// Sleep parks the calling task for d of virtual time.
func Sleep(d time.Duration) { sched.SleepFor(d, nil) }

// Gate is a counter that tasks wait for; see its methods. The zero value is ready.
type Gate = sched.Gate

// Process is one run of a program.
type Process struct {
	process     *sched.Process
	incarnation int
}

// CurrentProcess returns the process that the calling task belongs to, and nil outside of a world.
func CurrentProcess() *Process {
	t := sched.Current()
	if t == nil {
		return nil
	}
	return &Process{t.Process(), t.Process().Incarnation()}
}

// Alive says whether the process still runs. It is false from the first instant of a crash.
func (p *Process) Alive() bool { return p.process.Alive(p.incarnation) }

// Name returns the name of the program that the process runs.
func (p *Process) Name() string { return p.process.Name() }

// Incarnation returns which run of the program this is, from 1.
func (p *Process) Incarnation() int { return p.incarnation }
