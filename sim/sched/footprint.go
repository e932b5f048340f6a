package sched

import "unsafe"

// What a step uses tells which steps commute: those that are next to each other, of different tasks, and use no object in ways
// that mind their order. Schedules that differ only in the order of steps that commute are one interleaving, a trace in
// the sense of Mazurkiewicz. Memory that no lock guards is not seen here: under -race that is a finding by itself.

// Mode is how a step uses an object.
type Mode uint8

// The modes. What waits until it can take a thing cannot come before the step that gives it; all else may come in either order.
const (
	Reads  Mode = iota // looks at it
	Writes             // changes it, or tries to
	Takes              // has waited for it and gets it alone, such as a lock
	Shares             // has waited for it and gets it beside others, such as the reading side of a lock
	Gives              // lets go of it, or provides it
	Leaves             // ends to share it, which those who share it do not mind
	NumModes
)

// minds says whether the order of two uses of one object, by different tasks, matters.
var minds = [NumModes][NumModes]bool{
	Reads:  {Writes: true},
	Writes: {Reads: true, Writes: true, Takes: true, Shares: true, Gives: true, Leaves: true},
	Takes:  {Writes: true, Takes: true, Shares: true, Gives: true, Leaves: true},
	Shares: {Writes: true, Takes: true, Gives: true},
	Gives:  {Writes: true, Takes: true, Shares: true},
	Leaves: {Writes: true, Takes: true},
}

// Mind says whether the order of two uses of one object matters.
func Mind(a, b Mode) bool { return minds[a][b] }

// Race says whether that order is also open: two steps that both can be next. Whoever has waited for what the other one gives could
// not have been earlier.
func Race(a, b Mode) bool {
	return Mind(a, b) && !(a.provides() && b.waits()) && !(b.provides() && a.waits())
}

func (m Mode) provides() bool { return m == Gives || m == Leaves }

func (m Mode) waits() bool { return m == Takes || m == Shares }

// Use is one object that a step used.
type Use struct {
	Object int // numbered in the order of their first use
	Mode   Mode
}

// Move is a step, as a search that leaves out what commutes wants it.
type Move struct {
	Task    int
	Choice  int   // how many choices there were; if another task could have gone on, the next one was who did
	Uses    []Use // in order; an object may be there more than once
	Enabler int   // index of the move that let the task go on, or -1
	Waited  bool  // its operation is one that waits: it was ready for that before any barrier that came meanwhile
	Barrier bool  // time passed, or a process came or went, ahead of it: its order with all before is fixed
	Tasks   []int // who could have gone on, by answer
}

// usage is a use by the step that is under way.
type usage struct {
	object *object
	mode   Mode
}

// footprint is what a world remembers of its steps.
type footprint struct {
	uses         []usage // of the step that is under way
	stepper      *Task   // whose step it is
	communicated bool    // that step used a channel
	done         uint64  // hash of the last step that was done
	sum          uint64  // of the hashes of all steps, whatever their order
	epoch        uint64  // of all that was before the last barrier
	barrier      bool    // there was one since the last step
	moves        []Move  // if they are kept
	pending      []Move  // steps that tasks wait to take at the end
}

// Used tells that the calling task uses what p points to. Stand-ins of package hook tell it of what they stand for, and
// simulated parts of the world of their own memory.
//
//go:norace
func Used(p unsafe.Pointer, m Mode) {
	if t := Hold(); t != nil {
		t.world.use(p, m)
	}
}

//go:norace
func (w *World) use(p unsafe.Pointer, m Mode) { w.uses = push(w.uses, usage{w.object(p), m}) }

// memory stands for all memory that statements may touch, and that atomic operations may be on where that is not known.
var memory byte

// LooksIfClosed tells that the calling task looks whether a channel is closed, without a point.
//
//go:norace
func LooksIfClosed(c <-chan struct{}) {
	if t := Hold(); t != nil && c != nil {
		t.world.usesCase(t.world.object(PointerOf(&c)), Reads)
	}
}

// usesChannel notes an operation on a channel.
//
//go:norace
func (w *World) usesChannel(op *Op) {
	w.communicated = true
	w.usesCase(w.object(op.Object), Writes)
}

// usesCase notes an operation on a channel, or on one that a select may do. Who receives from a context's channel only looks.
//
//go:norace
func (w *World) usesCase(o *object, m Mode) {
	if o.isDone {
		m = Reads
	}
	w.noteCase(usage{o, m})
	if o.isDone && !o.known {
		w.noteCase(usage{w.object(unsafe.Pointer(&foreign)), Reads})
	}
}

//go:norace
func (w *World) noteCase(u usage) {
	w.uses = push(w.uses, u)
	if t := w.running; t != nil && t.op.Kind == Select {
		t.selecting = push(t.selecting, u)
	}
}

// beginMove notes what t's next operation uses.
//
//go:norace
func (w *World) beginMove(t *Task) {
	w.stepper, w.barrier, w.communicated = t, false, false
	t.past = mix(t.past, t.op.Site.sum()+uint64(t.op.Kind)<<8+uint64(t.answer))
	if t.op.Site == nil {
		t.past = mixString(mixString(t.past, t.op.Verb), t.op.Name)
	}
	if t.returning {
		return
	}
	t.selecting = t.selecting[:0]
	switch p := t.op.Object; t.op.Kind {
	case Touch:
		w.use(unsafe.Pointer(&memory), Writes)
	case Atomic:
		w.usesAtomic(p)
	case MapRead:
		w.use(p, Reads)
	case MapWrite, WLock, TryLock:
		w.use(p, Writes)
	case Lock, WLockWaiting, OnceWait:
		w.use(p, Takes)
	case RLock, WaitGroupWait, GateWait:
		w.use(p, Shares)
	case Poll:
		if p != nil {
			w.use(p, Writes)
		}
	}
}

//go:norace
func (w *World) usesAtomic(p unsafe.Pointer) {
	if p == nil {
		w.use(unsafe.Pointer(&memory), Writes)
		return
	}
	w.use(p, Writes)
	w.use(unsafe.Pointer(&memory), Reads)
}

// endMove hashes the step that is done: the hash stands for the step and for all that had to be before it.
//
//go:norace
func (w *World) endMove() {
	t := w.stepper
	if t == nil {
		return
	}
	if w.communicated {
		w.usesOfWoken()
	}
	h := mix(t.past, w.epoch+3*t.enabler.hash)
	for i := range w.uses {
		h = w.uses[i].object.before(h, w.uses[i].mode)
	}
	for i := range w.uses {
		w.uses[i].object.after(h, w.uses[i].mode)
	}
	if w.options.Moves {
		w.moves[len(w.moves)-1].use(w)
	}
	t.past, t.enabler = h, enabler{}
	w.done = h
	w.sum += h
	w.uses, w.stepper = w.uses[:0], nil
}

// usesOfWoken adds what the selects have let go of that the step has ended: they wait at their other channels no more.
//
//go:norace
func (w *World) usesOfWoken() {
	for _, t := range w.live {
		if t.returning && t.since == 0 && t.op.Kind == Select {
			for _, u := range t.selecting {
				w.uses = push(w.uses, u)
			}
		}
	}
}

// enabler is the step that let a task go on.
type enabler struct {
	hash uint64
	move int // its index and 1, or 0
}

// enabledNow notes which step let t go on, where no object that both used tells.
//
//go:norace
func (w *World) enabledNow(t *Task) {
	if t.returning || t.op.Kind == Start || t.op.Kind == CondWait {
		t.enabler = enabler{w.done, len(w.moves)}
	}
}

// before mixes the steps whose order with the next use matters into its hash.
//
//go:norace
func (o *object) before(h uint64, m Mode) uint64 {
	past := o.written
	if m == Writes || m == Takes || m == Gives {
		past += 3 * o.read
	}
	if m != Gives && m != Leaves && m != Reads {
		past += 5 * o.given
	}
	return mix(h, past)
}

//go:norace
func (o *object) after(h uint64, m Mode) {
	switch m {
	case Reads, Shares, Leaves:
		o.read += h
	case Gives:
		o.given += h
	default:
		o.written, o.read, o.given = h, 0, 0
	}
}

// pass marks that time passes, or that a process comes or goes: all later steps come after all earlier ones.
//
//go:norace
func (w *World) pass() {
	w.epoch, w.barrier, w.done = mix(w.epoch, w.sum), true, 0
}

// interleaving identifies the schedule up to the order of steps that commute.
//
//go:norace
func (w *World) interleaving() uint64 { return mix(w.epoch, w.sum) }

// keepMove begins the record of a step.
//
//go:norace
func (w *World) keepMove(t *Task, choice int) {
	m := Move{Task: t.id, Choice: choice, Enabler: t.enabler.move - 1, Waited: t.op.Kind.waits() && !t.returning, Barrier: w.barrier}
	for _, c := range w.candidates {
		m.Tasks = append(m.Tasks, c.id)
	}
	w.moves = append(w.moves, m)
}

// keepPending records what the tasks would use that still wait.
//
//go:norace
func (w *World) keepPending() {
	for _, t := range w.live {
		if t.state == parked && t.op.Kind.waits() && !t.enabled && !t.returning {
			w.beginMove(t)
			w.pending = append(w.pending, Move{Task: t.id, Enabler: -1})
			w.pending[len(w.pending)-1].use(w)
			w.stepper = nil
		}
	}
}

//go:norace
func (m *Move) use(w *World) {
	for i := range w.uses {
		m.Uses = append(m.Uses, Use{w.uses[i].object.id, w.uses[i].mode})
	}
	w.uses = w.uses[:0]
}
