package sched

import "time"

// A stalled process does nothing for a while, and does not notice: its machine was suspended, or the kernel gave its time to
// others. For the process the clock jumps.

// stallTimes are how long a process may stall.
var stallTimes = [...]time.Duration{time.Second, 20 * time.Second, 3 * time.Minute}

// stallOdds is how rare a stall is: one of so many steps of a process that may.
const stallOdds = 300

// stallHere asks whether t's process stalls before t takes its step.
func (w *World) stallHere(t *Task) bool {
	p := t.proc
	if p.stalls == 0 || !p.alive {
		return false
	}
	answer := w.ask(Question{Asker: AskFault, Label: "stall " + p.name, N: len(stallTimes) + 1, Rare: stallOdds}, nil)
	if answer == 0 {
		return false
	}
	w.pass()
	p.stalls--
	p.stalledUntil = w.clock + int64(stallTimes[answer-1])
	w.stallEnd = max(w.stallEnd, p.stalledUntil)
	w.note("stall for "+stallTimes[answer-1].String(), p.label())
	Occurred("stall", 1)
	return true
}

// MayStall lets the process stall at most n times, at points that the scheduler chooses.
func (p *Process) MayStall(n int) {
	if p.stalls = n; n > 0 {
		Occurred("stall", 0)
	}
}

// nextWake returns the next instant at which a stalled process goes on or a replaced one is killed, and 0 if there is none.
//
//go:norace
func (w *World) nextWake() int64 {
	next := int64(0)
	for _, p := range w.processes {
		if p.stalledUntil > w.clock && (next == 0 || p.stalledUntil < next) {
			next = p.stalledUntil
		}
		if f := p.former; f != nil && f.killAt > w.clock && (next == 0 || f.killAt < next) {
			next = f.killAt
		}
	}
	return next
}
