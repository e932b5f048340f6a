package fakes

import "sync"

// quietLock is a mutex that the race detector does not see. What it guards
// must be touched in functions marked go:norace only, and what is handed out
// must be published and observed.
type quietLock struct{ mutex sync.Mutex }

// Lock takes the lock. It may be held for one operation in memory, never
// across a point of the scheduler.
func (l *quietLock) Lock() {
	hide()
	l.mutex.Lock()
	reveal()
}

// Unlock gives the lock back.
func (l *quietLock) Unlock() {
	hide()
	l.mutex.Unlock()
	reveal()
}
