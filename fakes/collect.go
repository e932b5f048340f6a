package fakes

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// next returns what the collector has to do for an object, or nil.
func (g *collector) next(t *table, o object) func(context.Context) error {
	deleted := o.GetDeletionTimestamp() != nil
	switch {
	case deleted && has(o, metav1.FinalizerOrphanDependents):
		return func(ctx context.Context) error { return g.orphan(ctx, t, o) }
	case deleted && has(o, metav1.FinalizerDeleteDependents):
		if g.blocked(o) {
			return nil
		}
		return func(ctx context.Context) error { return g.release(ctx, t, o, metav1.FinalizerDeleteDependents) }
	case deleted || len(o.GetOwnerReferences()) == 0:
		return nil
	}
	return g.collect(t, o)
}

// collect returns what is to be done for a dependent: nothing as long as all
// of its owners are there; if some are, the other references go; if none is,
// the object does. An owner that waits for its dependents counts as gone.
func (g *collector) collect(t *table, o object) func(context.Context) error {
	var solid []metav1.OwnerReference
	awaited := false
	for _, ref := range o.GetOwnerReferences() {
		owner := g.locate(o, ref)
		if owner.actor == nil {
			return nil
		}
		switch r := owner.look(); {
		case r == nil || r.object.GetUID() != ref.UID:
		case r.object.GetDeletionTimestamp() != nil && has(r.object, metav1.FinalizerDeleteDependents):
			awaited = true
		default:
			solid = append(solid, ref)
		}
	}
	switch {
	case len(solid) == len(o.GetOwnerReferences()):
		return nil
	case len(solid) > 0:
		return func(ctx context.Context) error { return g.setOwners(ctx, t, o, solid) }
	}
	policy := metav1.DeletePropagationBackground
	switch {
	case has(o, metav1.FinalizerOrphanDependents):
		policy = metav1.DeletePropagationOrphan
	case has(o, metav1.FinalizerDeleteDependents) || awaited && g.owns(o):
		policy = metav1.DeletePropagationForeground
	}
	return func(ctx context.Context) error { return g.remove(ctx, t, o, policy) }
}

// owns tells whether an object has dependents.
func (g *collector) owns(o object) bool {
	for range g.references(o) {
		return true
	}
	return false
}

// blocked tells whether an owner has to wait for a dependent.
func (g *collector) blocked(o object) bool {
	for _, ref := range g.references(o) {
		if ref.BlockOwnerDeletion != nil && *ref.BlockOwnerDeletion {
			return true
		}
	}
	return false
}

// orphan takes an owner out of its dependents' references and then lets go of
// it.
func (g *collector) orphan(ctx context.Context, t *table, o object) error {
	for d := range g.references(o) {
		if err := g.setOwners(ctx, d.table, d.object, withoutOwner(d.object, o.GetUID())); err != nil {
			return err
		}
	}
	return g.release(ctx, t, o, metav1.FinalizerOrphanDependents)
}

func withoutOwner(o object, owner types.UID) (kept []metav1.OwnerReference) {
	for _, ref := range o.GetOwnerReferences() {
		if ref.UID != owner {
			kept = append(kept, ref)
		}
	}
	return kept
}

func (g *collector) release(ctx context.Context, t *table, o object, finalizer string) error {
	next := o.DeepCopyObject().(object)
	next.SetFinalizers(without(next.GetFinalizers(), finalizer))
	return g.update(ctx, t, next)
}

func (g *collector) setOwners(ctx context.Context, t *table, o object, owners []metav1.OwnerReference) error {
	next := o.DeepCopyObject().(object)
	next.SetOwnerReferences(owners)
	return g.update(ctx, t, next)
}

func (g *collector) update(ctx context.Context, t *table, next object) error {
	_, err := g.caller.update(ctx, t, next.GetNamespace(), "", next, nil)
	return err
}

// remove deletes an object, unless it has changed meanwhile.
func (g *collector) remove(ctx context.Context, t *table, o object, policy metav1.DeletionPropagation) error {
	uid, revision := o.GetUID(), o.GetResourceVersion()
	return g.caller.remove(ctx, t, o.GetNamespace(), o.GetName(), metav1.DeleteOptions{
		Preconditions:     &metav1.Preconditions{UID: &uid, ResourceVersion: &revision},
		PropagationPolicy: &policy,
	})
}
