package fakes

import "unsafe"

// notification is one callback that a handler is owed.
type notification struct {
	verb     string // add, update, delete
	key      string
	revision int64
	old, new any // an add has no old, a delete no new
	initial  bool
	same     bool // an update to the same revision
}

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

//go:norace
func (q *queue) push(n *notification) {
	publish(unsafe.Pointer(n))
	q.lock.Lock()
	q.waiting = append(q.waiting, n)
	q.lock.Unlock()
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
	observe(unsafe.Pointer(n))
	return n
}
