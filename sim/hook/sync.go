package hook

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// CondWait is (*sync.Cond).Wait.
func CondWait(c *sync.Cond, s *Site) {
	p := unsafe.Pointer(c)
	t := sched.Enter(sched.Op{Kind: sched.Step, Site: s})
	if t == nil {
		c.Wait()
		return
	}
	t.Enlist(p)
	LockerUnlock(c.L, s)
	t.AwaitSignal(p, s)
	LockerLock(c.L, s)
}

// CondSignal is (*sync.Cond).Signal.
func CondSignal(c *sync.Cond, s *Site) {
	if t := sched.Enter(sched.Op{Kind: sched.Step, Site: s}); t != nil {
		t.Signal(unsafe.Pointer(c), false)
	}
	c.Signal()
}

// CondBroadcast is (*sync.Cond).Broadcast.
func CondBroadcast(c *sync.Cond, s *Site) {
	if t := sched.Enter(sched.Op{Kind: sched.Step, Site: s}); t != nil {
		t.Signal(unsafe.Pointer(c), true)
	}
	c.Broadcast()
}

// WaitGroupAdd is (*sync.WaitGroup).Add.
func WaitGroupAdd(wg *sync.WaitGroup, n int, s *Site) {
	s.Reach()
	t := sched.Hold()
	wg.Add(n) // first, since it panics when the counter gets negative
	if t != nil {
		t.Count(unsafe.Pointer(wg), n)
	}
}

// WaitGroupDone is (*sync.WaitGroup).Done.
func WaitGroupDone(wg *sync.WaitGroup, s *Site) { WaitGroupAdd(wg, -1, s) }

// WaitGroupWait is (*sync.WaitGroup).Wait.
func WaitGroupWait(wg *sync.WaitGroup, s *Site) {
	sched.Enter(sched.Op{Kind: sched.WaitGroupWait, Site: s, Object: unsafe.Pointer(wg)})
	wg.Wait()
}

// WaitGroupGo is (*sync.WaitGroup).Go.
func WaitGroupGo(wg *sync.WaitGroup, f func(), s *Site) {
	WaitGroupAdd(wg, 1, s)
	Go(func() {
		defer WaitGroupDone(wg, s)
		f()
	}, s)
}

// OnceDo is (*sync.Once).Do.
func OnceDo(once *sync.Once, f func(), s *Site) {
	t := sched.BeginOnce(unsafe.Pointer(once), s)
	if t != nil {
		defer t.EndOnce(unsafe.Pointer(once))
	}
	once.Do(f)
}

// OnceFunc is sync.OnceFunc.
func OnceFunc(f func(), s *Site) func() {
	g := OnceValue(func() struct{} { f(); return struct{}{} }, s)
	return func() { g() }
}

// OnceValue is sync.OnceValue. A panic of f is repeated for every caller.
func OnceValue[T any](f func() T, s *Site) func() T {
	s.Reach()
	var once sync.Once
	var value T
	var failure any
	returned := false
	run := func() {
		defer func() {
			if !returned {
				failure = recover()
			}
		}()
		value = f()
		returned = true
	}
	return func() T {
		OnceDo(&once, run, s)
		if !returned {
			panic(failure)
		}
		return value
	}
}

// OnceValues is sync.OnceValues.
func OnceValues[A, B any](f func() (A, B), s *Site) func() (A, B) {
	type both struct {
		a A
		b B
	}
	g := OnceValue(func() both { a, b := f(); return both{a, b} }, s)
	return func() (A, B) { r := g(); return r.a, r.b }
}

// Gosched is runtime.Gosched.
func Gosched(s *Site) {
	if t := sched.Enter(sched.Op{Kind: sched.Yield, Site: s}); t == nil {
		runtime.Gosched()
	} else {
		t.Yielded()
	}
}

// SyncMapRange is (*sync.Map).Range.
func SyncMapRange(m *sync.Map, f func(key, value any) bool, s *Site) {
	At(m, s).Range(f)
}
