package sched

import "time"

// A process is replaced as a rolling update does it: it is told to stop, and the next run starts while the last one is still
// at it. Whoever has not ended after the grace period is killed.

const gracePeriod = 30 * time.Second

// former is a run that was replaced and has not ended yet. Its tasks belong to it, and clients still work for it.
type former struct {
	Process
	killAt int64
}

// MayOverlap lets the process be replaced instead of killed in at most n of its crashes.
func (p *Process) MayOverlap(n int) {
	if p.overlaps = n; n > 0 {
		Occurred("replacement", 0)
	}
}

// replacedHere asks whether a process that is about to crash is replaced instead, and does it.
func (w *World) replacedHere(p *Process) bool {
	if p.overlaps == 0 || w.ask(Question{Asker: AskCrash, Label: ReplaceLabel + p.name, N: 2}, nil) == 0 {
		return false
	}
	p.overlaps--
	w.note("replace", p.label())
	Occurred("replacement", 1)
	w.detach(p, now()+int64(gracePeriod))
	p.former.cancel()
	p.owed--
	p.crashes++
	p.renew()
	p.revive()
	w.start(p)
	return true
}

// detach gives the run of p, with its tasks, a process of its own.
//
//go:norace
func (w *World) detach(p *Process, killAt int64) {
	f := &former{killAt: killAt}
	f.world, f.name, f.incarnation, f.children = p.world, p.name, p.incarnation, p.children
	f.alive, f.ctx, f.cancel = true, p.ctx, p.cancel
	p.former = f
	for _, t := range w.live {
		if t.proc == p {
			t.proc = &f.Process
		}
	}
}

// reap kills the runs whose grace period is over, and forgets those that have ended.
func (w *World) reap() {
	for _, p := range w.processes {
		if f := p.former; f != nil && (f.killAt <= w.clock && !w.shielded(&f.Process) || w.hasEnded(f)) {
			w.pass()
			w.kill(f)
			p.former = nil
		}
	}
}

func (w *World) kill(f *former) {
	if f != nil {
		w.end(&f.Process)
	}
}

//go:norace
func (w *World) hasEnded(f *former) bool {
	for _, t := range w.live {
		if t.proc == &f.Process && t.state != done {
			return false
		}
	}
	return true
}
