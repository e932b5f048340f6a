package hook

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Lock is (*sync.Mutex).Lock.
func Lock(mu *sync.Mutex, s *Site) {
	if t := sched.AcquireLock(unsafe.Pointer(mu), s); t == nil {
		mu.Lock()
	} else {
		acquire(mu.TryLock, s)
	}
}

// acquire takes natively what the scheduler's model says is free. Code that is not instrumented may hold it
// nevertheless: then the task tries again after others had their turn.
func acquire(try func() bool, s *Site) {
	for !try() {
		sched.Enter(sched.Op{Kind: sched.Yield, Site: s}).Yielded()
	}
}

// Unlock is (*sync.Mutex).Unlock.
func Unlock(mu *sync.Mutex, s *Site) {
	if released(sched.Hold(), unsafe.Pointer(mu), false, mu.TryLock, "sync: unlock of unlocked mutex", s) {
		mu.Unlock()
	}
}

// released records the unlocking of a lock in the model and says whether to do it natively. The runtime ends a process that
// unlocks what is not locked, so that becomes a finding first. The deferred calls of a task that dies may come to an
// unlock without the lock, as no real goroutine does: it died waiting for a condition.
func released(t *sched.Task, p unsafe.Pointer, reading bool, free func() bool, message string, s *Site) bool {
	s.Reach()
	switch {
	case t == nil || t.Release(p, reading):
		return true
	case t.Dying():
		return false
	case t.Holds(p) || free(): // held for reading and unlocked for writing, or the other way round, is no better
		t.Fatal(message, s)
	}
	return true
}

// TryLock is (*sync.Mutex).TryLock.
func TryLock(mu *sync.Mutex, s *Site) bool {
	t := sched.Enter(sched.Op{Kind: sched.TryLock, Site: s, Object: unsafe.Pointer(mu)})
	ok := mu.TryLock()
	if t != nil {
		t.Tried(unsafe.Pointer(mu), s, false, ok)
	}
	return ok
}

// RWLock is (*sync.RWMutex).Lock.
func RWLock(mu *sync.RWMutex, s *Site) {
	if t := sched.AcquireWrite(unsafe.Pointer(mu), s); t == nil {
		mu.Lock()
	} else {
		acquire(mu.TryLock, s)
	}
}

// RWUnlock is (*sync.RWMutex).Unlock.
func RWUnlock(mu *sync.RWMutex, s *Site) {
	if released(sched.Hold(), unsafe.Pointer(mu), false, mu.TryLock, "sync: Unlock of unlocked RWMutex", s) {
		mu.Unlock()
	}
}

// RWTryLock is (*sync.RWMutex).TryLock.
func RWTryLock(mu *sync.RWMutex, s *Site) bool {
	t := sched.Enter(sched.Op{Kind: sched.TryLock, Site: s, Object: unsafe.Pointer(mu)})
	ok := mu.TryLock()
	if t != nil {
		t.Tried(unsafe.Pointer(mu), s, false, ok)
	}
	return ok
}

// RLock is (*sync.RWMutex).RLock.
func RLock(mu *sync.RWMutex, s *Site) {
	if t := sched.AcquireRead(unsafe.Pointer(mu), s); t == nil {
		mu.RLock()
	} else {
		acquire(mu.TryRLock, s)
	}
}

// RUnlock is (*sync.RWMutex).RUnlock.
func RUnlock(mu *sync.RWMutex, s *Site) {
	if released(sched.Hold(), unsafe.Pointer(mu), true, mu.TryLock, "sync: RUnlock of unlocked RWMutex", s) {
		mu.RUnlock()
	}
}

// TryRLock is (*sync.RWMutex).TryRLock.
func TryRLock(mu *sync.RWMutex, s *Site) bool {
	t := sched.Enter(sched.Op{Kind: sched.TryLock, Site: s, Object: unsafe.Pointer(mu)})
	ok := mu.TryRLock()
	if t != nil {
		t.Tried(unsafe.Pointer(mu), s, true, ok)
	}
	return ok
}

// lockable is what has an embedded sync.Mutex or sync.RWMutex.
type lockable interface {
	sync.Locker
	TryLock() bool
}

// LockerLock is Lock of a sync.Locker. One that embeds a mutex is a lock of its own in the model. One that has no TryLock
// is locked natively: it cannot be known whether that blocks.
func LockerLock(l sync.Locker, s *Site) {
	s.Reach()
	switch l := l.(type) {
	case *sync.Mutex:
		Lock(l, s)
	case *sync.RWMutex:
		RWLock(l, s)
	case *readLocker:
		RLock(l.mu, s)
	case lockable:
		if t := sched.AcquireLock(identityOf(l), s); t == nil {
			l.Lock()
		} else {
			acquire(l.TryLock, s)
		}
	default:
		l.Lock()
	}
}

// LockerUnlock is Unlock of a sync.Locker.
func LockerUnlock(l sync.Locker, s *Site) {
	s.Reach()
	switch l := l.(type) {
	case *sync.Mutex:
		Unlock(l, s)
	case *sync.RWMutex:
		RWUnlock(l, s)
	case *readLocker:
		RUnlock(l.mu, s)
	case lockable:
		if released(sched.Hold(), identityOf(l), false, l.TryLock, "sync: unlock of unlocked mutex", s) {
			l.Unlock()
		}
	default:
		l.Unlock()
	}
}

// identityOf returns the address that an interface holds, or that of nothing for a value that is no pointer: all of those
// are one lock in the model, and the native TryLock tells them apart.
func identityOf(l lockable) unsafe.Pointer {
	if v := reflect.ValueOf(l); v.Kind() == reflect.Pointer {
		return v.UnsafePointer()
	}
	return unsafe.Pointer(&anyValue)
}

var anyValue byte

// readLocker is the reading side of an RWMutex as a sync.Locker.
type readLocker struct{ mu *sync.RWMutex }

// Lock implements sync.Locker, for code that is not instrumented.
func (l *readLocker) Lock() { l.mu.RLock() }

// Unlock implements sync.Locker.
func (l *readLocker) Unlock() { l.mu.RUnlock() }

// RLocker is (*sync.RWMutex).RLocker.
func RLocker(mu *sync.RWMutex, s *Site) sync.Locker {
	s.Reach()
	return &readLocker{mu}
}
