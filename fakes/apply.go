package fakes

import (
	"strconv"

	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/snapstorm/snapstorm/sim"
)

// apply takes one change of the stream into the store and then into the
// queues. As in client-go the callback follows from what the store holds, not
// from the kind of change.
func (i *Informer) apply(c change) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.changed()
	i.revision = c.now.revision
	o, ok := i.transformed(c.now.object)
	if !ok {
		return // client-go drops what a transform refuses
	}
	i.cluster.handOut(i.table, c.now, o)
	known, exists, _ := i.index.GetByKey(c.now.key)
	switch {
	case c.what == watch.Deleted:
		must(i.index.Delete(o))
		i.distribute(&notification{verb: "delete", key: c.now.key, revision: c.now.revision, old: o})
	case exists:
		must(i.index.Update(o))
		i.distribute(i.modification(known.(object), o))
	default:
		must(i.index.Add(o))
		i.distribute(i.addition(o, false))
	}
}

// replace makes the store hold a new list, and then queues what that means:
// deletions first, with the last state that was known, then the list.
func (i *Informer) replace(records []*record, revision int64, first bool) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.changed()
	before := i.index.List()
	listed := i.decode(records)
	all, kept := make([]any, 0, len(listed)), make(map[string]object, len(listed))
	for _, o := range listed {
		all, kept[i.keyOf(o)] = append(all, o), o
	}
	must(i.index.Replace(all, strconv.FormatInt(revision, 10)))
	i.goOnFrom(revision, first)
	was := make(map[string]object, len(before))
	for _, old := range before {
		o := old.(object)
		was[i.keyOf(o)] = o
		if kept[i.keyOf(o)] == nil {
			i.distribute(i.listed(i.tombstone(o, revision)))
			sim.Occurred(tombstoned, 1)
		}
	}
	for _, o := range listed {
		if old := was[i.keyOf(o)]; old != nil {
			if i.distribute(i.listed(i.modification(old, o))) {
				sim.Occurred(deviation(old, o), 1)
			}
		} else {
			i.distribute(i.listed(i.addition(o, first)))
			if !first {
				sim.Occurred(foundNew, 1)
			}
		}
	}
	if first {
		i.nowSynced()
	}
}

// goOnFrom notes that events go on from a new list.
func (i *Informer) goOnFrom(revision int64, first bool) {
	i.cluster.noteList(i, revision, first)
	i.revision = revision
	i.lists++
}

// changed tells that the store and the queues change.
func (i *Informer) changed() {
	sim.Changed(i)
	sim.Changed(i.index.content)
}

// deviation says what an update that a list brings differs in from one of the
// stream.
func deviation(old, o object) string {
	switch {
	case old.GetUID() != o.GetUID():
		return recreated
	case old.GetResourceVersion() == o.GetResourceVersion():
		return unchanged
	}
	return skippedStates
}

// decode returns the listed objects after the transform. A state that the
// store holds already is copied, for a list is always decoded anew.
func (i *Informer) decode(records []*record) []object {
	objects := make([]object, 0, len(records))
	for _, r := range records {
		o, ok := i.transformed(r.object)
		if !ok {
			continue
		}
		if held, exists, _ := i.index.GetByKey(r.key); exists && revisionOf(held.(object)) == r.revision {
			o = o.DeepCopyObject().(object)
		}
		i.cluster.handOut(i.table, r, o)
		objects = append(objects, o)
	}
	return objects
}

func (i *Informer) nowSynced() {
	sim.ClosedNow(i.synced)
	close(i.synced)
	for _, l := range i.listeners {
		sim.Changed(l.tracker)
		l.tracker.UpstreamHasSynced()
	}
}

// transformed returns what is to be cached of an object.
func (i *Informer) transformed(o object) (object, bool) {
	if i.transform == nil {
		return o, true
	}
	changed, err := i.transform(o.DeepCopyObject())
	if err != nil {
		return nil, false
	}
	kept, ok := changed.(object)
	return kept, ok
}

// distribute queues a notification for every listener, and tells whether any
// of them will see it.
func (i *Informer) distribute(n *notification) (any bool) {
	for _, l := range i.listeners {
		any = l.push(n) || any
	}
	return any
}

// listed marks a notification as one that the last list brought.
func (i *Informer) listed(n *notification) *notification {
	n.why, n.list = fromList, i.lists
	return n
}

func (i *Informer) addition(o object, initial bool) *notification {
	return &notification{verb: "add", key: i.keyOf(o), revision: revisionOf(o), new: o, initial: initial}
}

func (i *Informer) modification(old, o object) *notification {
	return &notification{
		verb: "update", key: i.keyOf(o), revision: revisionOf(o), old: old, new: o,
		same: old.GetResourceVersion() == o.GetResourceVersion(),
	}
}

// tombstone is the deletion that a relist found out: nobody knows the last
// state of the object, only the last one that was seen.
func (i *Informer) tombstone(o object, revision int64) *notification {
	key := i.keyOf(o)
	return &notification{verb: "delete", key: key, revision: revision, old: cache.DeletedFinalStateUnknown{Key: key, Obj: o}}
}

func (i *Informer) keyOf(o object) string { return i.table.kind.key(o.GetNamespace(), o.GetName()) }

func revisionOf(o object) int64 {
	revision, _ := strconv.ParseInt(o.GetResourceVersion(), 10, 64)
	return revision
}

// must is for errors of the index that only an object without metadata makes.
func must(err error) {
	if err != nil {
		panic("fakes: an object without metadata reached an informer: " + err.Error())
	}
}
