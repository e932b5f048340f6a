package sched

import (
	"context"
	"strconv"
	"testing/synctest"
	"unsafe"
)

// Process is a restartable group of tasks: one run of the program under test after another. A crash ends a run at a
// point, and the next one starts.
type Process struct {
	world        *World
	name         string
	incarnation  int
	children     int
	crashes      int // so far
	owed         int // crashes that must happen before the world may end
	odds         int // of a crash of this run; 0 until it is drawn
	stalls       int // how often it may still stall
	overlaps     int // how often it may still be replaced
	alive        bool
	stalledUntil int64
	former       *former // the run that the present one replaces, if it has not ended
	main         func(context.Context)
	ctx          context.Context
	cancel       context.CancelFunc
}

// NewProcess adds a process that crashes exactly the given number of times, at points that the scheduler chooses.
func (w *World) NewProcess(name string, main func(context.Context), crashes int) *Process {
	p := w.newProcess(name, main, crashes)
	w.processes = append(w.processes, p)
	if crashes > 0 {
		Occurred("crash", 0)
	}
	return p
}

func (w *World) newProcess(name string, main func(context.Context), crashes int) *Process {
	p := &Process{world: w, name: name, main: main, owed: crashes, incarnation: 1, alive: true}
	p.renew()
	return p
}

// NewActor adds a task of the world itself, such as a simulated part of the cluster. It ends with the world.
func (w *World) NewActor(name string, f func(context.Context)) {
	t := w.newTask(nil, w.actors, name)
	ctx := w.actors.ctx
	go t.run(func() { f(ctx) })
}

// Name returns the process's name.
func (p *Process) Name() string { return p.name }

// Incarnation returns which run of the program this is, from 1.
//
//go:norace
func (p *Process) Incarnation() int { return p.incarnation }

// Alive says whether the given incarnation still runs. It is what fences a dead process's clients.
//
//go:norace
func (p *Process) Alive(incarnation int) bool {
	if f := p.former; f != nil && f.incarnation == incarnation {
		return f.alive
	}
	return p.alive && p.incarnation == incarnation
}

// Context returns the context of the current incarnation. It ends at a crash and at an orderly stop.
//
//go:norace
func (p *Process) Context() context.Context { return p.ctx }

// label names the current incarnation.
//
//go:norace
func (p *Process) label() string {
	if p.incarnation == 1 {
		return p.name
	}
	return p.name + "#" + strconv.Itoa(p.incarnation)
}

// start begins an incarnation. It is in plain sight of the race detector: a new incarnation knows what the last one did
// to memory that outlives it.
func (w *World) start(p *Process) {
	ctx := p.ctx
	t := w.newTask(nil, p, p.label())
	go t.run(func() { p.main(ctx) })
}

// crashOdds are how rare a crash is: one of so many steps of a process that still owes one. Each run of a program draws
// one of them, so that some runs end early and some late.
var crashOdds = []int{3000, 1000, 300, 100, 30}

// crashHere asks whether t's process crashes before t takes its step, and does it.
func (w *World) crashHere(t *Task) bool {
	p := t.proc
	if p.owed == 0 || !p.alive || p.former != nil || w.shielded(p) {
		return false
	}
	if p.odds == 0 {
		p.odds = crashOdds[w.ask(Question{Asker: AskCrash, Label: OddsLabel, N: len(crashOdds)}, t)]
	}
	if w.ask(Question{Asker: AskCrash, N: 2, Rare: p.odds}, t) == 0 {
		return false
	}
	w.crash(p)
	return true
}

// crashOwed crashes, in a quiescent world, the first process that has not crashed as often as it must.
func (w *World) crashOwed() bool {
	for _, p := range w.processes {
		if p.owed > 0 {
			w.crash(p)
			return true
		}
	}
	return false
}

// shielded says whether some task of p must not be interrupted.
//
//go:norace
func (w *World) shielded(p *Process) bool {
	for _, t := range w.live {
		if t.proc == p && t.shielded > 0 {
			return true
		}
	}
	return false
}

// crash ends the current incarnation of p and starts the next one.
func (w *World) crash(p *Process) {
	w.pass()
	w.kill(p.former)
	p.former = nil
	if w.replacedHere(p) {
		return
	}
	w.note("crash", p.label())
	Occurred("crash", 1)
	w.end(p)
	p.owed--
	p.crashes++
	p.renew()
	p.revive()
	synctest.Wait() // in plain sight: publishes the dead tasks' memory to the next incarnation
	w.start(p)
}

// renew gives the next run a context of its own. It ends when all tasks rest, so nobody's order with that is open.
func (p *Process) renew() {
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.world.doneObject(p.ctx.Done()).known = true
}

//go:norace
func (p *Process) revive() {
	p.incarnation++
	p.children = 0
	p.odds = 0
	p.stalledUntil = 0
	p.alive = true
}

// end unwinds the tasks of p, one at a time, in order. Its clients are fenced from the first instant, so nothing that
// deferred code does reaches the cluster.
func (w *World) end(p *Process) {
	p.condemn()
	w.condemn(p)
	p.cancel()
	synctest.Wait() // in plain sight: what dies comes after all that its process did
	release(unsafe.Pointer(&w.deaths))
	for {
		hide()
		w.settle()
		t := w.nextDying(p)
		if t != nil {
			w.exit(t)
		}
		unhide()
		if t == nil {
			break
		}
	}
}

//go:norace
func (p *Process) condemn() { p.alive = false }

//go:norace
func (w *World) condemn(p *Process) {
	for _, t := range w.live {
		if t.proc == p {
			t.dying = true
		}
	}
}

// nextDying returns the first task of p that can be made to exit. One that is blocked in library code can not: it is
// abandoned, and exits at its next point if it ever reaches one.
//
//go:norace
func (w *World) nextDying(p *Process) *Task {
	for _, t := range w.live {
		if t.proc != p || t.state == done {
			continue
		}
		t.dying = true
		if t.state == parked || t.state == blocked {
			return t
		}
	}
	return nil
}

// exit makes a parked or blocked task run its deferred calls and end.
//
//go:norace
func (w *World) exit(t *Task) {
	wasParked := t.state == parked
	if t.op.Kind.waits() {
		w.object(t.op.Object).leave(t)
	}
	t.state = running
	w.running = t
	if wasParked {
		t.wake <- struct{}{}
	} else {
		close(t.kill)
	}
}

// stopAll tells every process, and then the world's own actors, to stop.
func (w *World) stopAll() {
	w.pass()
	w.stopped = w.choices.n
	for _, p := range w.processes {
		p.cancel()
	}
	w.quietFromNow() // what is told to stop has the whole horizon to do so
	w.untilQuiescent()
	w.pass()
	w.actors.cancel()
	w.quietFromNow()
}

// killAll unwinds what is left at the end of a world.
func (w *World) killAll() {
	for _, p := range append(w.processes, w.actors) {
		w.kill(p.former)
		w.end(p)
	}
	hide()
	w.settle()
	unhide()
	w.abandoned = len(w.live)
	synctest.Wait() // in plain sight: the test may now read what the tasks wrote
}
