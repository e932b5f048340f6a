package sched

import (
	"unsafe"
)

// Gate is a counter that tasks wait for. It is how simulated parts of the world (an informer, an actor) wait for
// something to do without ordering the program under test: it adds no edge that the race detector sees. The zero value
// is ready. Outside of a world it works with plain goroutines too.
type Gate struct {
	count uint64
	free  chan struct{} // outside of a world: closed by the next Open
	lock  spin
}

// Count returns how often the gate was opened.
//
//go:norace
func (g *Gate) Count() uint64 { return g.count }

// Open counts one more and wakes those who wait.
func (g *Gate) Open() {
	if !g.open() {
		if free := g.takeFree(); free != nil {
			close(free)
		}
	}
}

//go:norace
func (g *Gate) takeFree() chan struct{} {
	g.lock.Lock()
	free := g.free
	g.free = nil
	g.lock.Unlock()
	return free
}

//go:norace
func (g *Gate) freeChan(seen uint64) chan struct{} {
	g.lock.Lock()
	defer g.lock.Unlock()
	if g.count > seen {
		return nil
	}
	if g.free == nil {
		g.free = make(chan struct{})
	}
	return g.free
}

//go:norace
func (g *Gate) open() (inWorld bool) {
	w := active
	if w == nil {
		g.lock.Lock()
		g.count++
		g.lock.Unlock()
		return false
	}
	if t := w.self(); t != nil {
		w.hold(t)
	}
	g.count++
	o := w.object(unsafe.Pointer(g))
	o.count = int64(g.count)
	w.use(unsafe.Pointer(g), Gives)
	o.changed()
	return true
}

// Wait parks the caller until the gate was opened more than seen times (true) or stop is closed (false). A task that
// waits here is idle: it is never reported as stuck.
func (g *Gate) Wait(label string, seen uint64, stop <-chan struct{}) bool {
	t := Hold()
	if t == nil {
		return g.waitFree(seen, stop)
	}
	return t.waitGate(g, label, seen, stop)
}

func (g *Gate) waitFree(seen uint64, stop <-chan struct{}) bool {
	for {
		free := g.freeChan(seen)
		if free == nil {
			return true
		}
		select {
		case <-free:
		case <-stop:
			return false
		}
	}
}

//go:norace
func (t *Task) waitGate(g *Gate, label string, seen uint64, stop <-chan struct{}) bool {
	select {
	case <-stop:
		return false
	default:
	}
	w, p := t.world, unsafe.Pointer(g)
	w.object(p).count = int64(g.count)
	t.op = Op{Kind: GateWait, Verb: "wait for", Name: label, Object: p, N: int(seen)}
	if !t.parkBeside(stop) {
		return true
	}
	w.hold(t)
	w.object(p).leave(t)
	return false
}

// parkBeside is parkAs, but ends without the token (true) when stop is closed.
//
//go:norace
func (t *Task) parkBeside(stop <-chan struct{}) (stopped bool) {
	if t.dying {
		t.exit()
	}
	t.world.await(t)
	t.state = parked
	hide()
	select {
	case <-t.wake:
	case <-stop:
		stopped = true
	}
	unhide()
	if t.dying && !stopped {
		t.exit()
	}
	return stopped
}
