package fakes

import (
	"unsafe"

	"github.com/snapstorm/snapstorm/sim"
)

// notification is one callback that a handler is owed.
type notification struct {
	verb     string // add, update, delete
	key      string
	revision int64
	old, new any // an add has no old, a delete no new
	why      origin
	list     int // of an event that a list brought: which list, from 1
	initial  bool
	same     bool // an update to the same revision
}

// origin is where a notification comes from.
type origin uint8

const (
	fromStream origin = iota // a change, as the watch reports it
	fromList                 // a comparison of a list with the cache
	fromResync               // the cache, once more
	fromCache                // the cache, for a handler that came late
)

// queue holds a handler's notifications. It is as long as it needs to be: a
// slow handler delays nobody but itself.
//
// Like the cluster's memory it is invisible to the race detector, save for the
// edge from push to the pop of the same notification. Without that care two
// handlers would be ordered by the informer that feeds them both.
type queue struct {
	lock    quietLock
	first   int
	waiting []*notification
}

// push queues a notification, and returns how many wait now.
//
//go:norace
func (q *queue) push(n *notification) int {
	sim.Provided(n)
	publish(unsafe.Pointer(n))
	q.lock.Lock()
	q.waiting = append(q.waiting, n)
	waiting := len(q.waiting) - q.first
	q.lock.Unlock()
	return waiting
}

// pop takes the oldest notification; nil when there is none.
//
//go:norace
func (q *queue) pop() *notification {
	q.lock.Lock()
	if q.first == len(q.waiting) {
		q.first, q.waiting = 0, q.waiting[:0]
		q.lock.Unlock()
		return nil
	}
	n := q.waiting[q.first]
	q.waiting[q.first] = nil
	q.first++
	q.lock.Unlock()
	sim.Obtained(n)
	observe(unsafe.Pointer(n))
	return n
}
