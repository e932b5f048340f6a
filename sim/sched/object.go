package sched

import (
	"reflect"
	"unsafe"
)

// object is what the scheduler knows of one lock, condition, group, once, gate, channel or map.
type object struct {
	ptr      unsafe.Pointer
	id       int          // in the order of first use
	elem     reflect.Type // of a channel
	holder   *Task        // of a lock: who has it; of a once: who runs its function
	site     *Site        // where the holder took it
	readers  int          // of an RWMutex
	reader   *Task        // the last one
	writers  int          // of an RWMutex: writers that wait; new readers wait for them
	count    int64        // of a group or gate
	queue    []*Task      // of a condition: who waits, in order
	waiters  []*Task      // parked tasks that need something of this object
	users    [4]use       // of a channel: who used it last, by operation (send, receive, select, close); of a condition, first: who signaled it
	attached any          // see Attach
	lineage
	number  int    // in the trace; 0 if it is not there
	written uint64 // hash of the last step that used it alone
	read    uint64 // sum of the hashes of those that only looked, or shared it, since
	given   uint64 // the same of those that let go of it
}

// use is a past operation on an object.
type use struct {
	task  *Task
	site  *Site
	among bool // it was one of several that a select could do
}

// objects finds an object by its address: open addressing again, for the reason that registry has. The table keeps what
// it points to alive, so an address means one object for the whole world.
type objects struct {
	slots []*object
	n     int
}

//go:norace
func (w *World) object(p unsafe.Pointer) *object {
	s := &w.objects
	if 2*s.n >= len(s.slots) {
		s.grow()
	}
	i := s.slot(p)
	if s.slots[i] == nil {
		s.slots[i] = &object{ptr: p, id: s.n}
		s.n++
	}
	return s.slots[i]
}

//go:norace
func (s *objects) slot(p unsafe.Pointer) int {
	mask := len(s.slots) - 1
	i := slot(int64(uintptr(p))) & mask
	for s.slots[i] != nil && s.slots[i].ptr != p {
		i = (i + 1) & mask
	}
	return i
}

//go:norace
func (s *objects) grow() {
	old := s.slots
	s.slots = make([]*object, max(128, 2*len(old)))
	for _, o := range old {
		if o != nil {
			s.slots[s.slot(o.ptr)] = o
		}
	}
}

// await puts t on the waiting list of what it needs, and says whether it is enabled right away.
//
//go:norace
func (w *World) await(t *Task) {
	o := w.object(t.op.Object)
	o.waiters = push(o.waiters, t)
	t.enabled = o.provides(t)
}

// provides says whether t can do its operation now.
//
//go:norace
func (o *object) provides(t *Task) bool {
	switch t.op.Kind {
	case Lock:
		return o.holder == nil
	case RLock:
		return o.holder == nil && o.writers == 0
	case WLockWaiting:
		return o.holder == nil && o.readers == 0
	case CondWait:
		return t.signaled
	case WaitGroupWait:
		return o.count <= 0
	case OnceWait:
		return o.holder == nil
	case GateWait:
		return o.count > int64(t.op.N)
	}
	return true
}

// changed looks again at everybody who waits for o.
//
//go:norace
func (o *object) changed() {
	for _, t := range o.waiters {
		t.enabled = o.provides(t)
	}
}

// leave takes t, which got what it waited for or dies, off the waiting list.
//
//go:norace
func (o *object) leave(t *Task) {
	o.waiters = remove(o.waiters, t)
}

//go:norace
func remove(s []*Task, t *Task) []*Task {
	kept := s[:0]
	for _, x := range s {
		if x != t {
			kept = push(kept, x)
		}
	}
	for i := len(kept); i < len(s); i++ {
		s[i] = nil
	}
	return kept
}

// Uses remembers that t came to use a channel, so that a report can say who could have provided what is missing.
//
//go:norace
func (t *Task) Uses(op Op) {
	t.world.usesChannel(&op)
	o := t.world.object(op.Object)
	o.elem = op.Elem
	o.users[op.Kind-Send] = use{t, op.Site, op.N > 1}
}
