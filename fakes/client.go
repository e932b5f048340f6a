package fakes

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Client is a client for one resource in one namespace, with the methods of a
// generated typed client: a program that wants a WidgetInterface, or a few
// methods of one, may be given a Client. It honours contexts, and what it
// returns is the caller's own copy.
//
// The generated fakes drop contexts and some options and hold a lock during
// each call; this does neither, and Clients leave to the generated ones only
// what this has not.
type Client[T object, L runtime.Object] struct {
	caller    *caller
	table     *table
	namespace string
}

// ClientFor returns a client for a type that the cluster serves, for example
//
//	fakes.ClientFor[*v1.Widget, *v1.WidgetList](cluster.Clients(), "default")
//
// The namespace is empty for a list of all namespaces and for a type without.
// It panics if the cluster does not serve the type with that list.
func ClientFor[T object, L runtime.Object](c Clients, namespace string) Client[T, L] {
	t := c.caller.cluster.mustServe(reflect.TypeFor[T]())
	if list := reflect.TypeFor[L](); list != t.kind.listType {
		panic(fmt.Sprintf("fakes: %v is served with lists of type %v, not %v", reflect.TypeFor[T](), t.kind.listType, list))
	}
	return Client[T, L]{c.caller, t, namespace}
}

// answer gives the caller a copy of its own; beside an error an empty object,
// as the real clients do.
func (c Client[T, L]) answer(r *record, err error) (T, error) {
	if err != nil {
		return c.table.kind.fresh().(T), err
	}
	return r.object.DeepCopyObject().(T), nil
}

// Get returns the present state of an object.
func (c Client[T, L]) Get(ctx context.Context, name string, opts metav1.GetOptions) (T, error) {
	return c.answer(c.caller.get(ctx, c.table, c.namespace, name, opts.ResourceVersion))
}

// List returns the objects that the options select, in the order of their
// namespaces and names.
func (c Client[T, L]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	p, err := c.caller.list(ctx, c.table, c.namespace, opts)
	return c.table.listOf(p).(L), err
}

// Watch opens a watch.
func (c Client[T, L]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return c.caller.watch(ctx, c.table, c.namespace, opts)
}

// Create stores a new object.
func (c Client[T, L]) Create(ctx context.Context, o T, opts metav1.CreateOptions) (T, error) {
	return c.answer(c.caller.create(ctx, c.table, c.namespace, o, opts.DryRun))
}

// Update stores a new state of an object, all but its status if the type has
// one.
func (c Client[T, L]) Update(ctx context.Context, o T, opts metav1.UpdateOptions) (T, error) {
	return c.answer(c.caller.update(ctx, c.table, c.namespace, "", o, opts.DryRun))
}

// UpdateStatus stores a new status of an object, and nothing else of it.
func (c Client[T, L]) UpdateStatus(ctx context.Context, o T, opts metav1.UpdateOptions) (T, error) {
	return c.answer(c.caller.update(ctx, c.table, c.namespace, "status", o, opts.DryRun))
}

// Patch changes the present state of an object.
func (c Client[T, L]) Patch(ctx context.Context, name string, how types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (T, error) {
	if err := checkDryRun(opts.DryRun); err != nil {
		return c.answer(nil, err)
	}
	return c.answer(c.caller.patch(ctx, c.table, c.namespace, name, strings.Join(subresources, "/"), patch{how, data}))
}

// Delete deletes an object, or marks it if something holds it.
func (c Client[T, L]) Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error {
	return c.caller.remove(ctx, c.table, c.namespace, name, opts)
}

// DeleteCollection deletes the objects that the list options select, one by
// one.
func (c Client[T, L]) DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, selected metav1.ListOptions) error {
	return c.caller.removeAll(ctx, c.table, c.namespace, opts, selected)
}
