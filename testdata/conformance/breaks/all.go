package breaks

import (
	"slices"

	"github.com/snapstorm/snapstorm/testdata/mutation"
)

// All returns the mutations.
func All() []mutation.Mutation {
	all := slices.Concat(relists(), streams(), handlers())
	for i := range all {
		all[i].Edits = append([]mutation.Edit{unjudged}, all[i].Edits...)
	}
	return all
}

// edit is a mutation in one place.
func edit(name, file, before, after string) mutation.Mutation {
	return mutation.Mutation{Name: name, Edits: []mutation.Edit{in(file, before, after)}}
}

// in is one of several edits.
func in(file, before, after string) mutation.Edit {
	return mutation.Edit{File: file, Old: before, New: after}
}

// relists are mistakes in what follows a broken stream.
func relists() []mutation.Mutation {
	return []mutation.Mutation{
		edit("a tombstone is a pointer", "apply.go",
			"old: cache.DeletedFinalStateUnknown{", "old: &cache.DeletedFinalStateUnknown{"),
		edit("a relist says nothing of what is unchanged", "apply.go",
			"if old := was[i.keyOf(o)]; old != nil {",
			"if old := was[i.keyOf(o)]; old != nil && revisionOf(old) == revisionOf(o) {\n\t\t\tcontinue\n\t\t} else if old != nil {"),
		edit("a relist hands out the object that the cache held", "apply.go",
			"exists && revisionOf(held.(object)) == r.revision", "exists && held == nil"),
		edit("an add of a relist is initial", "apply.go",
			"i.addition(o, first)", "i.addition(o, true)"),
		edit("a relist splits a recreation in two", "apply.go",
			"if old := was[i.keyOf(o)]; old != nil {",
			"if old := was[i.keyOf(o)]; old != nil && old.GetUID() != o.GetUID() {\n\t\t\ti.distribute(i.tombstone(old, revision))\n\t\t\ti.distribute(i.addition(o, first))\n\t\t} else if old != nil {"),
		{Name: "a relist deletes last", Edits: []mutation.Edit{
			in("apply.go", "\t\tif kept[i.keyOf(o)] == nil {\n", "\t\tif false {\n"),
			in("apply.go", "\tif first {\n\t\ti.nowSynced()",
				"\tfor _, old := range before {\n\t\tif o := old.(object); kept[i.keyOf(o)] == nil {\n\t\t\ti.distribute(i.tombstone(o, revision))\n\t\t}\n\t}\n\tif first {\n\t\ti.nowSynced()"),
		}},
		edit("a relist does not put off resyncs", "stream.go",
			"\ts.startClock()\n\ti.cluster.count(", "\ti.cluster.count("),
	}
}

// streams are mistakes in how changes go into the cache and the queues, and in the watch that client-go follows.
func streams() []mutation.Mutation {
	return []mutation.Mutation{
		edit("a deletion does not advance the revision", "apply.go",
			"\ti.revision = c.now.revision\n", "\tif c.what != watch.Deleted {\n\t\ti.revision = c.now.revision\n\t}\n"),
		edit("a deletion brings the state that the cache held", "apply.go",
			"revision: c.now.revision, old: o}", "revision: c.now.revision, old: known}"),
		edit("the cache comes after the callbacks", "apply.go",
			"must(i.index.Update(o))\n\t\ti.distribute(i.modification(known.(object), o))",
			"i.distribute(i.modification(known.(object), o))\n\t\tmust(i.index.Update(o))"),
		edit("what came after a stale list is lost", "stream.go",
			"s.position = end - lag", "s.position = end"),
		edit("a watch that is opened again misses a change", "watch.go",
			"w.position = w.table.after(w.revision)", "w.position = min(w.table.after(w.revision)+1, w.table.end())"),
	}
}

// handlers are mistakes in what a handler is given and in what is said of it.
func handlers() []mutation.Mutation {
	return []mutation.Mutation{
		edit("a late handler gets everything twice", "informer.go",
			"n.why = fromCache\n\t\tl.push(n)", "n.why = fromCache\n\t\tl.push(n)\n\t\tl.push(n)"),
		edit("the adds of a late handler are not initial", "informer.go",
			"n := i.addition(o.(object), true)", "n := i.addition(o.(object), false)"),
		{Name: "a handler has synced before its first add returned", Edits: []mutation.Edit{
			in("listener.go", "\tif n.initial {\n\t\tsim.Changed(l.tracker)\n\t\tl.tracker.Finished()\n\t}\n", ""),
			in("listener.go", "\tsim.Event(verb+\" \"+what, func() { l.call(n) })\n",
				"\tif n.initial {\n\t\tl.tracker.Finished()\n\t}\n\tsim.Event(verb+\" \"+what, func() { l.call(n) })\n"),
		}},
		edit("a handler that has left gets what was queued", "listener.go",
			"\tif closed(l.stop) {\n\t\treturn nil\n\t}\n", ""),
		edit("a resync is for all handlers", "listener.go",
			"if n.same && !l.syncing {", "if n.same && l == nil {"),
		edit("a resync makes copies", "resync.go",
			"i.modification(o.(object), o.(object))", "i.modification(o.(object), o.(object).DeepCopyObject().(object))"),
	}
}
