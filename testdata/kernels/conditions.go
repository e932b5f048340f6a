package kernels

import (
	"context"
	"sync"
	"sync/atomic"
)

var conditions = []Kernel{
	{Name: "cond-lost-signal", Class: "conditions", Want: "leak", Bug: lostSignal, Fixed: lostSignalFixed},
	{Name: "cond-signal-unlocked", Class: "conditions", Want: "leak", Bug: signalUnlocked, Fixed: signalUnlockedFixed},
	{Name: "cond-signal-for-all", Class: "conditions", Want: "leak", Bug: signalForAll, Fixed: signalForAllFixed},
	{Name: "cond-wait-without-loop", Class: "conditions", Want: "panic", Bug: waitWithoutLoop, Fixed: waitWithoutLoopFixed},
	{Name: "cond-stolen-wakeup", Class: "conditions", Want: "panic", Bug: stolenWakeup, Fixed: stolenWakeupFixed,
		Schedules: 400, Why: "a reader has to wait first, and the other one to come between the signal and its wake-up"},
	{Name: "group-late-add", Class: "conditions", Want: "panic", Bug: lateAdd, Fixed: lateAddFixed},
	{Name: "group-negative", Class: "conditions", Want: "panic", Bug: groupNegative, Fixed: groupNegativeFixed},
	{Name: "group-reused", Class: "conditions", Want: "leak", Bug: groupReused, Fixed: groupReusedFixed},
	{Name: "group-done-missing", Class: "conditions", Want: "leak", Bug: doneMissing, Fixed: doneMissingFixed},
	{Name: "group-wait-under-lock", Class: "conditions", Want: "stuck", Bug: waitUnderLock, Fixed: waitUnderLockFixed},
	{Name: "once-reentered", Class: "conditions", Want: "deadlock", Bug: onceReentered, Fixed: onceReenteredFixed},
	{Name: "once-failed", Class: "conditions", Want: "panic", Bug: onceFailed, Fixed: onceFailedFixed},
}

// buffer is a queue whose readers wait for items.
type buffer struct {
	mu    sync.Mutex
	more  *sync.Cond
	items []int
}

func newBuffer() *buffer {
	b := &buffer{}
	b.more = sync.NewCond(&b.mu)
	return b
}

func signalOne(c *sync.Cond) { c.Signal() }

func signalAll(c *sync.Cond) { c.Broadcast() }

func (b *buffer) put(item int, wake func(*sync.Cond)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, item)
	wake(b.more)
}

func (b *buffer) pop() int {
	item := b.items[0]
	b.items = b.items[1:]
	return item
}

func (b *buffer) takeIf() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.items) == 0 {
		b.more.Wait()
	}
	return b.pop()
}

func (b *buffer) take() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == 0 {
		b.more.Wait()
	}
	return b.pop()
}

// lostSignal waits without a look whether the item has come already.
func lostSignal(context.Context) {
	b := newBuffer()
	go b.put(1, signalOne)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.more.Wait()
	b.pop()
}

func lostSignalFixed(context.Context) {
	b := newBuffer()
	go b.put(1, signalOne)
	b.take()
}

// signalUnlocked changes the state outside of the lock, between a waiter's look and its wait.
func signalUnlocked(context.Context) { openGate(func(_ *sync.Mutex, open func()) { open() }) }

func signalUnlockedFixed(context.Context) {
	openGate(func(mu *sync.Mutex, open func()) {
		mu.Lock()
		defer mu.Unlock()
		open()
	})
}

func openGate(guard func(*sync.Mutex, func())) {
	var mu sync.Mutex
	var isOpen atomic.Bool
	opened := sync.NewCond(&mu)
	go guard(&mu, func() {
		isOpen.Store(true)
		opened.Broadcast()
	})
	mu.Lock()
	defer mu.Unlock()
	for !isOpen.Load() {
		opened.Wait()
	}
}

// signalForAll wakes one of the waiters for a state that all of them wait for.
func signalForAll(context.Context) { startAll(signalOne) }

func signalForAllFixed(context.Context) { startAll(signalAll) }

func startAll(wake func(*sync.Cond)) {
	var mu sync.Mutex
	synced := false
	cond := sync.NewCond(&mu)
	for range 2 {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			for !synced {
				cond.Wait()
			}
		}()
	}
	mu.Lock()
	defer mu.Unlock()
	synced = true
	wake(cond)
}

// waitWithoutLoop wakes all readers for one item, and each takes it for its own.
func waitWithoutLoop(context.Context) { putTwo((*buffer).takeIf, signalAll) }

func waitWithoutLoopFixed(context.Context) { putTwo((*buffer).take, signalAll) }

func putTwo(take func(*buffer) int, wake func(*sync.Cond)) {
	b := newBuffer()
	go take(b)
	go take(b)
	b.put(1, wake)
	b.put(2, wake)
}

// stolenWakeup is signaled for an item that a reader which came later takes first.
func stolenWakeup(context.Context) { putTwo((*buffer).takeIf, signalOne) }

func stolenWakeupFixed(context.Context) { putTwo((*buffer).take, signalOne) }
