package fakes

import (
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The operations below are the API server's. They run under the cluster's
// lock and are given objects that nobody else has.

// create stores a new object.
func (c *Cluster) create(t *table, o object) (*record, error) {
	if err := checkNew(t.kind, o); err != nil {
		return nil, err
	}
	if o.GetName() == "" {
		o.SetName(o.GetGenerateName() + nameSuffix(c.nextName()))
	}
	if err := checkName(t.kind, o.GetName()); err != nil {
		return nil, err
	}
	if err := checkMetadata(t.kind, o); err != nil {
		return nil, err
	}
	if revision, err := strconv.ParseUint(o.GetResourceVersion(), 10, 64); err == nil && revision > 0 {
		return nil, unknown("resourceVersion should not be set on objects to be created")
	}
	if t.get(t.kind.key(o.GetNamespace(), o.GetName())) != nil {
		return nil, apierrors.NewAlreadyExists(t.kind.groupResource(), o.GetName())
	}
	o.SetUID("")
	o.SetCreationTimestamp(metav1.Time{})
	o.SetDeletionTimestamp(nil)
	o.SetDeletionGracePeriodSeconds(nil)
	o.SetGeneration(0)
	t.kind.newborn(o)
	r := c.bear(t, o)
	t.add(r)
	return r, nil
}

// bear gives an object what the server gives at birth.
func (c *Cluster) bear(t *table, o object) *record {
	if o.GetUID() == "" {
		o.SetUID(uidOf(c.nextUIDNumber()))
	}
	if created := o.GetCreationTimestamp(); created.IsZero() {
		o.SetCreationTimestamp(now())
	}
	if o.GetGeneration() == 0 && t.kind.numbered {
		o.SetGeneration(1)
	}
	return c.seal(t, o)
}

// seal gives an object its revision; from here on it is never changed.
func (c *Cluster) seal(t *table, o object) *record {
	revision := c.nextRevision()
	o.SetResourceVersion(strconv.FormatInt(revision, 10))
	o.SetManagedFields(nil)
	o.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return &record{key: t.kind.key(o.GetNamespace(), o.GetName()), revision: revision, object: o}
}

// update stores a new state that may name, by its UID, the object that it is
// for.
func (c *Cluster) update(t *table, o object, subresource string) (*record, error) {
	if err := checkUID(t.kind, o, t.get(t.kind.key(o.GetNamespace(), o.GetName()))); err != nil {
		return nil, err
	}
	return c.write(t, o, subresource)
}

// write stores a new state: all but the status, or the status alone.
func (c *Cluster) write(t *table, o object, subresource string) (*record, error) {
	current := t.get(t.kind.key(o.GetNamespace(), o.GetName()))
	if current == nil {
		return nil, apierrors.NewNotFound(t.kind.groupResource(), o.GetName())
	}
	if err := checkCurrent(t.kind, o, current.object); err != nil {
		return nil, err
	}
	if subresource == "status" {
		next := current.object.DeepCopyObject().(object)
		t.kind.takeStatus(next, o)
		return c.store(t, current, next, !t.kind.sameStatus(next, current.object)), nil
	}
	t.kind.takeStatus(o, current.object)
	keepServerFields(o, current.object)
	if err := checkChange(t.kind, o, current.object); err != nil {
		return nil, err
	}
	changed := !t.kind.sameSpec(o, current.object)
	if changed && t.kind.numbered {
		o.SetGeneration(o.GetGeneration() + 1)
	}
	return c.store(t, current, o, changed || !sameMetadata(o, current.object)), nil
}

// store writes the next state of an object, unless nothing changed; it takes
// the object away when its last finalizer went and nobody needs it longer. The
// caller still gets the state that he wrote, but watches never see it.
func (c *Cluster) store(t *table, current *record, next object, changed bool) *record {
	if released(next) {
		next.SetResourceVersion(current.object.GetResourceVersion())
		next.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		erased := c.erase(t, current.object.DeepCopyObject().(object))
		return &record{key: erased.key, revision: erased.revision, object: next}
	}
	if !changed {
		return current
	}
	r := c.seal(t, next)
	t.replace(r)
	return r
}

// erase takes an object away; last is a copy of its last state.
func (c *Cluster) erase(t *table, last object) *record {
	r := c.seal(t, last)
	t.remove(r)
	return r
}

// remove deletes an object, or marks it when finalizers or a grace period hold
// it.
func (c *Cluster) remove(t *table, key, name string, opts metav1.DeleteOptions) (*record, error) {
	current := t.get(key)
	if current == nil {
		return nil, apierrors.NewNotFound(t.kind.groupResource(), name)
	}
	if err := checkPreconditions(t.kind, current.object, opts.Preconditions); err != nil {
		return nil, err
	}
	next := current.object.DeepCopyObject().(object)
	grace := t.kind.grace(next)
	if opts.GracePeriodSeconds != nil && grace > 0 {
		grace = max(0, *opts.GracePeriodSeconds)
	}
	told := propagate(t.kind, next, opts)
	if grace == 0 && len(next.GetFinalizers()) == 0 {
		return c.erase(t, current.object.DeepCopyObject().(object)), nil
	}
	if held := next.GetDeletionGracePeriodSeconds(); held != nil && *held <= grace && (grace > 0 || !told) {
		return current, nil // it is being deleted already, and no slower
	}
	markDeleted(next, grace)
	if released(next) {
		return c.erase(t, next), nil
	}
	return c.store(t, current, next, true), nil
}
