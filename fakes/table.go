package fakes

import (
	"unsafe"

	"k8s.io/apimachinery/pkg/watch"

	"github.com/snapstorm/snapstorm/sim"
)

// record is one state of one object. It is never changed once it is stored.
type record struct {
	key      string // namespace/name, or name
	revision int64
	object   object
	kept     bool // see handOut
}

// change is one write. For a deletion, now is the last state with the
// revision of the deletion; before is nil for a creation.
type change struct {
	what        watch.EventType
	now, before *record
}

// table holds the objects of one resource in the order of their keys, and all
// their changes in the order of their revisions.
//
// Its memory belongs to the cluster's quiet lock. All methods are go:norace
// and use no maps, copies or closures, which the race detector would see all
// the same.
type table struct {
	kind    *kind
	records []*record
	changes []change
	grown   sim.Gate  // opens after each change
	newest  *Informer // that has listed
}

// find returns where key is, or where it would be put.
//
//go:norace
func (t *table) find(key string) (int, bool) {
	low, high := 0, len(t.records)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if t.records[middle].key < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(t.records) && t.records[low].key == key
}

// get returns the present state of key, or nil.
//
//go:norace
func (t *table) get(key string) *record {
	sim.Looked(t)
	at, found := t.find(key)
	if !found {
		return nil
	}
	observe(unsafe.Pointer(t.records[at]))
	return t.records[at]
}

// add stores the state of a new object.
//
//go:norace
func (t *table) add(r *record) {
	at, _ := t.find(r.key)
	t.records = append(t.records, r)
	for i := len(t.records) - 1; i > at; i-- {
		t.records[i] = t.records[i-1]
	}
	t.records[at] = r
	t.log(change{what: watch.Added, now: r})
}

// replace stores a new state of a known object.
//
//go:norace
func (t *table) replace(r *record) {
	at, _ := t.find(r.key)
	before := t.records[at]
	t.records[at] = r
	t.log(change{what: watch.Modified, now: r, before: before})
}

// remove takes the object out; last is its last state with the revision of
// the deletion.
//
//go:norace
func (t *table) remove(last *record) {
	at, _ := t.find(last.key)
	before := t.records[at]
	for i := at; i < len(t.records)-1; i++ {
		t.records[i] = t.records[i+1]
	}
	t.records[len(t.records)-1] = nil
	t.records = t.records[:len(t.records)-1]
	t.log(change{what: watch.Deleted, now: last, before: before})
}

//go:norace
func (t *table) log(c change) {
	sim.Changed(t)
	sim.Provided(c.now)
	publish(unsafe.Pointer(c.now))
	t.changes = append(t.changes, c)
}

// all returns the present states in key order, in a slice of the caller's.
//
//go:norace
func (t *table) all() []*record {
	sim.Looked(t)
	records := make([]*record, 0, len(t.records))
	for _, r := range t.records {
		observe(unsafe.Pointer(r))
		records = append(records, r)
	}
	return records
}

// end returns the position behind the last change.
//
//go:norace
func (t *table) end() int { return len(t.changes) }

// at returns the change at a position; false when it has not happened yet.
//
//go:norace
func (t *table) at(position int) (change, bool) {
	if position >= len(t.changes) {
		return change{}, false
	}
	c := t.changes[position]
	sim.Obtained(c.now)
	observe(unsafe.Pointer(c.now))
	if c.before != nil {
		observe(unsafe.Pointer(c.before))
	}
	return c, true
}

// after returns the position of the first change later than a revision.
//
//go:norace
func (t *table) after(revision int64) int {
	low, high := 0, len(t.changes)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if t.changes[middle].now.revision <= revision {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
