package sched

import "unsafe"

// Each function of this file is the scheduler's half of a stand-in in package hook: it keeps the model of who holds what
// and who waits for whom. The native operation, which the race detector must see, is the stand-in's half. All of them
// return nil when the caller runs free.

// AcquireLock is the point before a sync.Mutex or the writing side of an RWMutex is locked, and takes it in the model.
//
//go:norace
func AcquireLock(p unsafe.Pointer, site *Site) *Task {
	t := Enter(Op{Kind: Lock, Site: site, Object: p})
	if t != nil {
		t.take(p, site)
	}
	return t
}

// AcquireWrite is the point before an RWMutex is locked for writing. A writer that cannot get it waits, and from then
// on new readers wait for the writer, as in package sync: without that, read-write-read deadlocks are never found.
//
//go:norace
func AcquireWrite(p unsafe.Pointer, site *Site) *Task {
	t := Enter(Op{Kind: WLock, Site: site, Object: p})
	if t == nil {
		return nil
	}
	o := t.world.object(p)
	if o.holder != nil || o.readers > 0 {
		o.writers++
		o.changed()
		t.op = Op{Kind: WLockWaiting, Site: site, Object: p}
		t.world.parkAs(t)
		o.writers--
	}
	t.take(p, site)
	return t
}

//go:norace
func (t *Task) take(p unsafe.Pointer, site *Site) {
	o := t.world.object(p)
	o.holder, o.site = t, site
	o.changed()
}

// AcquireRead is the point before an RWMutex is locked for reading.
//
//go:norace
func AcquireRead(p unsafe.Pointer, site *Site) *Task {
	t := Enter(Op{Kind: RLock, Site: site, Object: p})
	if t != nil {
		o := t.world.object(p)
		o.readers++
		o.reader, o.site = t, site
		o.changed()
	}
	return t
}

// Tried records a TryLock or TryRLock that succeeded, and makes a task that failed prefer others.
//
//go:norace
func (t *Task) Tried(p unsafe.Pointer, site *Site, reading, ok bool) {
	o := t.world.object(p)
	switch {
	case !ok:
		t.yielded = true
	case reading:
		o.readers++
		o.reader, o.site = t, site
	default:
		o.holder, o.site = t, site
	}
	o.changed()
}

// Release records the unlocking of a lock. It reports whether the model knew the lock as taken.
//
//go:norace
func (t *Task) Release(p unsafe.Pointer, reading bool) bool {
	o := t.world.object(p)
	known := o.holder != nil
	if reading {
		known = o.readers > 0
		o.readers = max(0, o.readers-1)
	} else {
		o.holder = nil
	}
	mode := Gives
	if reading {
		mode = Leaves
	}
	t.world.use(p, mode)
	o.changed()
	return known
}

// Holds says whether some task holds the lock p, in either way.
//
//go:norace
func (t *Task) Holds(p unsafe.Pointer) bool {
	o := t.world.object(p)
	return o.holder != nil || o.readers > 0
}

// Enlist puts t in the queue of a condition. It must be followed by AwaitSignal, with the condition's lock released in
// between.
//
//go:norace
func (t *Task) Enlist(p unsafe.Pointer) {
	o := t.world.object(p)
	t.signaled = false
	t.world.use(p, Writes)
	o.queue = push(o.queue, t)
}

// AwaitSignal parks t until the condition p is signaled to it.
//
//go:norace
func (t *Task) AwaitSignal(p unsafe.Pointer, site *Site) {
	t.op = Op{Kind: CondWait, Site: site, Object: p}
	t.world.parkAs(t)
}

// Signal wakes the task that has waited longest for the condition p, or all of them.
//
//go:norace
func (t *Task) Signal(p unsafe.Pointer, all bool) {
	o := t.world.object(p)
	o.users[0] = use{task: t, site: t.op.Site}
	t.world.use(p, Writes)
	for len(o.queue) > 0 {
		first := o.queue[0]
		o.queue = remove(o.queue, first)
		first.signaled = true
		if !all {
			break
		}
	}
	o.changed()
}

// Count adds n to the counter of a group and returns the counter.
//
//go:norace
func (t *Task) Count(p unsafe.Pointer, n int) int64 {
	o := t.world.object(p)
	o.count += int64(n)
	t.world.use(p, countMode(n))
	o.changed()
	return o.count
}

// countMode is how a group is used: who takes from its counter lets others go on, who adds to it may make them wait.
//
//go:norace
func countMode(n int) Mode {
	if n < 0 {
		return Gives
	}
	return Writes
}

// BeginOnce is the point before a sync.Once: the task waits while another one runs the function. It must be followed by
// EndOnce. No crash happens in between, since package sync gives a once that was left by Goexit for done.
//
//go:norace
func BeginOnce(p unsafe.Pointer, site *Site) *Task {
	t := Enter(Op{Kind: OnceWait, Site: site, Object: p})
	if t != nil {
		t.take(p, site)
		t.shielded++
	}
	return t
}

// EndOnce ends what BeginOnce began.
//
//go:norace
func (t *Task) EndOnce(p unsafe.Pointer) {
	o := t.world.object(p)
	o.holder = nil
	t.world.use(p, Gives)
	t.shielded--
	o.changed()
}

// Yielded makes the task prefer others at its next point: it spins.
//
//go:norace
func (t *Task) Yielded() { t.yielded = true }

// OnlySends says that the select that t is about to block in can do nothing but send.
//
//go:norace
func (t *Task) OnlySends() { t.op.as = Send }
