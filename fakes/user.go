package fakes

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/snapstorm/snapstorm/sim"
)

// Deed is something that a user does to an object.
type Deed string

// The deeds. Their names are what tapes and summaries call them.
const (
	// Relabel changes a label: an event in which nothing that matters changes.
	Relabel Deed = "user relabels"

	// Delete deletes the object in the state that the user saw.
	Delete Deed = "user deletes"

	// Recreate deletes the object, and creates another one of the same name,
	// labels, annotations and spec as soon as it is gone.
	Recreate Deed = "user deletes and recreates"
)

// User is somebody who works with the cluster while programs run.
type User struct {
	// Deeds is how many things the user does.
	Deeds int

	// Pauses are how long the user may rest between them. The first is the
	// usual one; none means never.
	Pauses []time.Duration

	// May tells what the user may do to an object in its present state; nil is
	// anything.
	May func(Deed, metav1.Object) bool
}

// maxTargets bounds how many objects the scheduler may choose among.
const maxTargets = 16

// User lets a user work until all is done or ctx ends.
func (c *Cluster) User(ctx context.Context, u User) {
	a := &caller{cluster: c}
	for _, d := range []Deed{Relabel, Delete, Recreate} {
		sim.Occurred(string(d), 0)
	}
	for range u.Deeds {
		c.pause("user rests", u.Pauses)
		if ctx.Err() != nil {
			return
		}
		u.act(ctx, a)
	}
}

// target is an object and what may be done to it.
type target struct {
	table  *table
	object object
	deeds  []Deed
}

// act does one thing to one object. That it may fail is no matter.
func (u User) act(ctx context.Context, a *caller) {
	targets := u.targets(a.cluster)
	if len(targets) == 0 {
		return
	}
	t := targets[a.cluster.ask("user picks", len(targets), 0)]
	deed := t.deeds[a.cluster.ask("user acts on "+t.table.kind.key(t.object.GetNamespace(), t.object.GetName()), len(t.deeds), 0)]
	sim.Occurred(string(deed), 1)
	if deed == Relabel {
		_ = a.relabel(ctx, t)
		return
	}
	err := a.remove(ctx, t.table, t.object.GetNamespace(), t.object.GetName(), metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: new(t.object.GetUID()), ResourceVersion: new(t.object.GetResourceVersion())},
	})
	if err == nil && deed == Recreate {
		sim.Go("user recreates "+t.object.GetName(), func() { a.recreate(ctx, t) })
	}
}

// targets are some of the objects that something may be done to, spread over
// all of them.
func (u User) targets(c *Cluster) []target {
	var all []target
	for _, t := range c.tables {
		for _, r := range c.records(t) {
			if deeds := u.deedsFor(r.object); deeds != nil {
				all = append(all, target{t, r.object, deeds})
			}
		}
	}
	if len(all) <= maxTargets {
		return all
	}
	var some []target
	for i := range maxTargets {
		some = append(some, all[i*len(all)/maxTargets])
	}
	return some
}

func (u User) deedsFor(o object) []Deed {
	var deeds []Deed
	for _, d := range []Deed{Relabel, Delete, Recreate} {
		if o.GetDeletionTimestamp() == nil && (u.May == nil || u.May(d, o)) {
			deeds = append(deeds, d)
		}
	}
	return deeds
}

// touchedKey is the label that Relabel changes, and the annotation of those who
// write in between.
const touchedKey = "example.com/touched-at-revision"

func (a *caller) relabel(ctx context.Context, t target) error {
	o := t.object.DeepCopyObject().(object)
	labels := map[string]string{touchedKey: o.GetResourceVersion()}
	for k, v := range o.GetLabels() {
		if k != touchedKey {
			labels[k] = v
		}
	}
	o.SetLabels(labels)
	_, err := a.update(ctx, t.table, o.GetNamespace(), "", o, nil)
	return err
}

// recreate waits until the object is gone, and creates one like it.
func (a *caller) recreate(ctx context.Context, t target) {
	key := t.table.kind.key(t.object.GetNamespace(), t.object.GetName())
	for {
		seen := t.table.grown.Count()
		if r := a.cluster.look(t.table, key); r == nil || r.object.GetUID() != t.object.GetUID() {
			break
		}
		if !t.table.grown.Wait("end of "+key, seen, ctx.Done()) {
			return
		}
	}
	_, _ = a.create(ctx, t.table, t.object.GetNamespace(), likeNew(t.object), nil)
}

// likeNew is an object as it was before the cluster knew it.
func likeNew(o object) object {
	o = o.DeepCopyObject().(object)
	o.SetUID(types.UID(""))
	o.SetResourceVersion("")
	o.SetGeneration(0)
	o.SetCreationTimestamp(metav1.Time{})
	o.SetFinalizers(nil)
	return o
}
