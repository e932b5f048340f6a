package sched

import "time"

// parkUntil parks the calling task for d of virtual time; false if it runs free.
//
//go:norace
func parkUntil(d time.Duration, site *Site) bool {
	return Enter(Op{Kind: Sleep, Site: site, Until: now() + int64(max(d, 0))}) != nil
}

// SleepFor parks the calling task for d of virtual time. Outside of a world it is time.Sleep.
func SleepFor(d time.Duration, site *Site) {
	if !parkUntil(d, site) {
		time.Sleep(d)
	}
}

// Deadline registers an instant at which something outside of the scheduler's sight will happen, such as the end of a
// context, so that letting time pass is a choice while it is ahead. It returns the instant moved on by as many
// nanoseconds as make it the only one: timers of one instant fire in random order.
//
//go:norace
func Deadline(at time.Time) time.Time {
	if t := Hold(); t != nil {
		return at.Add(time.Duration(t.world.deadline(at.UnixNano())))
	}
	return at
}

//go:norace
func (w *World) deadline(at int64) int64 {
	moved := int64(0)
	for i := 0; i < len(w.deadlines); i++ {
		if w.deadlines[i] == at+moved {
			moved, i = moved+1, -1
		}
	}
	w.deadlines = push(w.deadlines, at+moved)
	return moved
}

// timeOdds is how rare it is that time passes although tasks could go on: once in so many steps.
const timeOdds = 100

// passTime asks whether time passes before the next step, when there is something to wait for, and lets it pass up to the
// next instant at which something happens: so time-outs race with progress. No task that could go on is kept waiting for
// longer than the lag, or every time-out could come first, which no machine brings about.
func (w *World) passTime() {
	if w.lastLook++; w.lastLook%timeStride != 0 {
		return
	}
	next := w.nextInstant()
	if next == 0 || next-w.waitingSince() > int64(w.options.Lag) || w.ask(Question{Asker: AskTime, N: 2, Rare: timeOdds / timeStride}, nil) == 0 {
		return
	}
	hide()
	time.Sleep(time.Duration(next - now()))
	w.clock = now()
	w.pass()
	w.settle()
	unhide()
}

// waitingSince returns since when the candidate that has waited longest could go on.
//
//go:norace
func (w *World) waitingSince() int64 {
	oldest := w.clock
	for _, t := range w.candidates {
		oldest = min(oldest, t.since)
	}
	return oldest
}

// timeStride is how many steps go by between two such questions: looking for the next instant costs a scan of all tasks.
const timeStride = 10

// libraryStride is how much time passes at once when a task is in a library, whose timers cannot be seen: as much as those
// who wait for an informer's cache leave between two looks.
const libraryStride = 100 * time.Millisecond

// nextInstant returns the next virtual time at which a sleeping task or a registered deadline is due, or a library's timer
// may be, and 0 if there is none ahead.
//
//go:norace
func (w *World) nextInstant() int64 {
	clock, next := now(), w.nextWake()
	for _, t := range w.live {
		if t.state == outside && (next == 0 || clock+int64(libraryStride) < next) {
			next = clock + int64(libraryStride)
		}
		if t.state == parked && t.op.Kind == Sleep && t.op.Until > clock && (next == 0 || t.op.Until < next) {
			next = t.op.Until
		}
	}
	kept := w.deadlines[:0]
	for _, d := range w.deadlines {
		if d > clock {
			kept = push(kept, d)
			if next == 0 || d < next {
				next = d
			}
		}
	}
	w.deadlines = kept
	return next
}

// quiet is since when nothing has had an effect.
type quiet struct {
	since   int64 // virtual time
	effects int   // until then
	idles   int   // how often nobody was enabled since
}

func (w *World) quietFromNow() { w.quiet = quiet{since: now(), effects: w.effects} }

// maxIdles bounds how often a world may be idle without an effect: one that polls every millisecond for the whole horizon
// would come to the bound on steps, and look like a livelock.
func (w *World) maxIdles() int { return w.options.MaxSteps / 4 }

// idle is called when nobody is enabled. It lets time pass until somebody is, and returns false when the world is
// quiescent: nothing has had an effect for the whole horizon, and no process is stalled or about to be killed.
func (w *World) idle() bool {
	if w.effects != w.quiet.effects {
		w.quietFromNow()
	}
	clock, end := now(), max(w.quiet.since, w.stallEnd)+int64(w.options.Horizon)
	if w.quiet.idles++; w.nextWake() == 0 && (clock >= end || w.quiet.idles > w.maxIdles()) {
		return false
	}
	until := end
	if next := w.nextSleeper(); next != 0 && (next < until || until <= clock) {
		until = next
	}
	hide()
	w.timer.Reset(time.Duration(until - clock))
	select {
	case <-w.ready:
		w.timer.Stop()
	case <-w.timer.C:
	}
	w.clock = now()
	w.pass()
	unhide()
	return true
}

//go:norace
func (w *World) nextSleeper() int64 {
	next := w.nextWake()
	for _, t := range w.live {
		if t.state == parked && t.op.Kind == Sleep && t.op.Until > w.clock && (next == 0 || t.op.Until < next) {
			next = t.op.Until
		}
	}
	return next
}

// notifyHidden tells a root that waits in idle that somebody is ready. It is called in hidden regions only.
//
//go:norace
func (w *World) notifyHidden() {
	select {
	case w.ready <- struct{}{}:
	default:
	}
}
