package sched

import (
	"runtime/debug"
	"strconv"
	"unsafe"
)

type state uint8

const (
	running state = iota // holds the token, or has not been born yet
	parked               // in front of t.op
	blocked              // in t.op, in a native operation that somebody else must complete
	outside              // in code that is not ours: a library call, or native blocking that we did not see begin
	done
)

// Task is one goroutine that the scheduler owns.
type Task struct {
	id       int
	name     string
	children int
	proc     *Process
	world    *World
	goid     int64
	wake     chan struct{}
	kill     chan struct{}

	state     state
	enabled   bool  // parked, and can take its next step now
	steps     int   // that it has begun
	returning bool  // parked after a native operation or a library call: enabled, whatever op says
	dying     bool  // its process crashed: it exits at its next point
	yielded   bool  // it spins: prefer others
	meets     bool  // woken from Poll by a partner
	since     int64 // when it became enabled; 0 if it is not, or has not been seen to be
	timer     bool  // it sleeps on behalf of a timer of the program
	signaled  bool  // of CondWait
	shielded  int   // inside a Once: no crash here
	undivided int   // inside Undivided: no point before memory is touched
	answer    int   // to the question of its last operation
	question  int   // which that was of the world's, from 1; 0 if there was none
	reported  bool  // a finding says already that it is blocked
	op        Op
	event     string // the event it handles, if any
	provider  int    // the event that let the task go on: see World.credit
	past      uint64 // hash of its steps so far, and of all that had to be before them
	enabler   enabler
	selecting []usage // of its last select
}

// Kill returns a channel that is closed when the task must die while it is blocked in a native operation.
//
//go:norace
func (t *Task) Kill() <-chan struct{} { return t.kill }

// Dying says whether the task's process has crashed: it only runs its deferred calls.
//
//go:norace
func (t *Task) Dying() bool { return t.dying }

// Answer returns the answer to the question that the task's last point asked.
//
//go:norace
func (t *Task) Answer() int { return t.answer }

// Name returns the task's name: its process, incarnation and place in the tree of go statements.
//
//go:norace
func (t *Task) Name() string { return t.name }

// Steps returns how many steps the task has begun: its own time, which does not depend on what others do meanwhile.
//
//go:norace
func (t *Task) Steps() int { return t.steps }

// Process returns the process the task belongs to.
//
//go:norace
func (t *Task) Process() *Process { return t.proc }

// newTask makes a task that is a child of parent, or of the process itself. Only who holds the token may call it, or
// the root while nobody runs: the order of creation is the order of ids.
//
//go:norace
func (w *World) newTask(parent *Task, p *Process, name string) *Task {
	t := &Task{id: w.nextID, proc: p, world: w, wake: make(chan struct{}), kill: make(chan struct{})}
	w.nextID++
	switch {
	case name != "":
		t.name = name
	case parent != nil:
		parent.children++
		t.name = parent.name + "." + strconv.Itoa(parent.children)
	default:
		p.children++
		t.name = p.label() + "." + strconv.Itoa(p.children)
	}
	t.past = mixString(fnvOffset, t.name)
	w.newborn = push(w.newborn, t)
	return t
}

// Go starts f as a task, a child of the caller's. Outside of a world it starts a plain goroutine.
func Go(name string, f func(), site *Site) {
	t := birth(name, site)
	if t == nil {
		go f()
		return
	}
	go t.run(f) // in plain sight of the race detector: the edge from creator to goroutine is the program's own
}

//go:norace
func birth(name string, site *Site) *Task {
	w := active
	if w == nil {
		return nil
	}
	t := w.self()
	switch {
	case t != nil:
		w.hold(t)
		child := w.newTask(t, t.proc, name)
		child.op.Site = site
		return child
	case w.onRoot():
		child := w.newTask(nil, w.actors, name)
		child.op.Site = site
		return child
	}
	return nil
}

func (t *Task) run(f func()) {
	defer t.end()
	t.begin()
	f()
}

//go:norace
func (t *Task) begin() {
	t.goid = currentGoid()
	t.op.Kind = Start
	t.world.parkAs(t)
}

// end is deferred by run: it recovers the panic that ended the task, if one did.
//
//go:norace
func (t *Task) end() {
	if r := recover(); r != nil {
		t.world.panicked(t, r, string(debug.Stack()))
	}
	if t.dying {
		release(unsafe.Pointer(&t.world.deaths))
	}
	t.state = done
}

// hold makes sure that t holds the token: a task that comes back from a library or a native operation waits for it. Such
// a task runs beside the one that holds the token, so it touches nothing but its own flag before it parks.
//
//go:norace
func (w *World) hold(t *Task) {
	if w.running == t {
		return
	}
	t.returning = true
	t.state = parked
	hide()
	w.notifyHidden()
	<-t.wake
	unhide()
	t.returning = false
	if t.dying {
		t.exit()
	}
}

// parkAs gives the token back and waits until the scheduler lets t do t.op.
//
//go:norace
func (w *World) parkAs(t *Task) {
	if t.dying && w.running == t {
		t.exit()
	}
	if t.op.Kind.waits() {
		w.await(t)
	} else {
		t.enabled = true
	}
	t.state = parked
	hide()
	if w.running != t {
		w.notifyHidden()
	}
	<-t.wake
	unhide()
	if t.dying {
		t.exit()
	}
}
