package fakes

import (
	"fmt"

	"k8s.io/client-go/tools/cache"
)

// contract is the property that the judges watch over.
const contract = "InformerContract: a handler is told what cache.SharedInformer allows, and nothing else"

// judge watches over what one handler is told. It knows the contract of
// cache.SharedInformer as client-go keeps it, and nothing of how the informer
// works, so that it finds out an informer which is wrong. Every listener has
// one, in every world.
//
// Its rules, which its messages name:
//
//   - Presence: an add is of an object that the handler does not know, an
//     update or a delete of one that it knows, and the old state of an update
//     is the one that it was told last.
//   - Identity: only a list may hide that an object was deleted and made anew;
//     elsewhere an update is of the same object.
//   - Time: no object goes back in time, and the stream's events come in the
//     order of their revisions, over all objects.
//   - Final state: a delete of the stream has the revision of the deletion; a
//     tombstone comes from a list only, by value, with the state that was told
//     last.
//   - Lists: what a list finds deleted comes before what it finds new or
//     changed.
//   - Beginning: initial adds come before anything else.
//   - Resyncs: old and new are one and the same.
//   - Truth: every state that is told is one that the cluster had.
//   - One at a time: callbacks do not overlap.
type judge struct {
	known   map[string]object // what was told last; looked up, never listed
	told    int64             // up to this revision
	list    int               // the last list that was seen
	listed  bool              // it has brought an add or an update
	later   bool              // something else than an initial add has come
	running bool
	had     func(key string, revision int64) bool
}

// begin judges a notification that is about to be delivered. It returns what
// is wrong with it, or "".
func (j *judge) begin(n *notification) string {
	if j.running {
		return "One at a time: a callback begins while another one runs"
	}
	j.running = true
	for _, rule := range []func(*notification) string{j.presence, j.finalState, j.time, j.order, j.truth} {
		if breach := rule(n); breach != "" {
			return breach + fmt.Sprintf(" (%s %s at revision %d)", n.verb, n.key, n.revision)
		}
	}
	j.learn(n)
	return ""
}

func (j *judge) end() { j.running = false }

func (j *judge) presence(n *notification) string {
	last := j.known[n.key]
	if n.verb == "add" {
		if last != nil {
			return "Presence: an add of an object that is known"
		}
		return ""
	}
	if last == nil {
		return "Presence: an event of an object that is not known"
	}
	if n.verb == "update" {
		old, o := n.old.(object), n.new.(object)
		switch {
		case old.GetUID() != last.GetUID() || old.GetResourceVersion() != last.GetResourceVersion():
			return "Presence: the old state is not the one that was told last"
		case o.GetUID() != old.GetUID() && n.why != fromList:
			return "Identity: an update turns one object into another"
		case n.why == fromResync && n.old != n.new:
			return "Resyncs: old and new are two objects"
		}
	}
	return ""
}

func (j *judge) finalState(n *notification) string {
	if n.verb != "delete" {
		return ""
	}
	last := j.known[n.key]
	lost, isLost := n.old.(cache.DeletedFinalStateUnknown)
	if !isLost {
		o, ok := n.old.(object)
		switch {
		case !ok:
			return fmt.Sprintf("Final state: a delete with a %T", n.old)
		case n.why == fromList:
			return "Final state: a list cannot know the last state, and wants a tombstone"
		case o.GetUID() != last.GetUID() || revisionOf(o) != n.revision || n.revision <= revisionOf(last):
			return "Final state: a delete without the revision of the deletion"
		}
		return ""
	}
	o, ok := lost.Obj.(object)
	switch {
	case n.why != fromList:
		return "Final state: a tombstone that comes from no list"
	case !ok || lost.Key != n.key || o.GetUID() != last.GetUID() || o.GetResourceVersion() != last.GetResourceVersion():
		return "Final state: a tombstone with another state than the one that was told last"
	}
	return ""
}

func (j *judge) time(n *notification) string {
	if n.why == fromStream && n.revision <= j.told {
		return fmt.Sprintf("Time: the stream was at revision %d already", j.told)
	}
	if last := j.known[n.key]; last != nil && n.verb == "update" && n.revision < revisionOf(last) {
		return "Time: an object goes back in time"
	}
	return ""
}

func (j *judge) order(n *notification) string {
	switch {
	case n.initial && j.later:
		return "Beginning: an initial add after another event"
	case n.initial && n.verb != "add":
		return "Beginning: only adds are initial"
	case n.why == fromList && n.list == j.list && j.listed && n.verb == "delete":
		return "Lists: a deletion after an add or an update of the same list"
	}
	return ""
}

func (j *judge) truth(n *notification) string {
	if n.verb == "delete" || j.had(n.key, n.revision) {
		return ""
	}
	return "Truth: the cluster never had this state"
}

// learn remembers what the handler is told.
func (j *judge) learn(n *notification) {
	if n.why == fromList && n.list != j.list {
		j.list, j.listed = n.list, false
	}
	j.listed = j.listed || n.verb != "delete"
	j.later = j.later || !n.initial
	j.told = max(j.told, n.revision)
	if n.verb == "delete" {
		delete(j.known, n.key)
		return
	}
	if j.known == nil {
		j.known = map[string]object{}
	}
	j.known[n.key] = n.new.(object)
}

// had tells whether the cluster ever had this state of an object.
func (i *Informer) had(key string, revision int64) bool {
	if i.transform != nil {
		return true // it may have changed the revision
	}
	i.cluster.lock.Lock()
	defer i.cluster.lock.Unlock()
	return i.table.had(key, revision)
}

//go:norace
func (t *table) had(key string, revision int64) bool {
	at := t.after(revision - 1)
	return at < len(t.changes) && t.changes[at].now.revision == revision && t.changes[at].now.key == key
}
