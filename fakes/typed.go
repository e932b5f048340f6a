package fakes

import (
	"context"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// typed is a client for one resource in one namespace. The generated fakes
// drop contexts and some options and hold a lock during each call; this does
// neither, and the generated ones keep what is left. Its methods are those of
// the typed interfaces, PodInterface for example.
type typed[T object, L runtime.Object] struct {
	caller    *caller
	table     *table
	namespace string
}

// answer gives the caller a copy of its own; beside an error an empty object,
// as the real clients do.
func (t typed[T, L]) answer(r *record, err error) (T, error) {
	if err != nil {
		return t.table.kind.fresh().(T), err
	}
	return r.object.DeepCopyObject().(T), nil
}

func (t typed[T, L]) Get(ctx context.Context, name string, _ metav1.GetOptions) (T, error) {
	return t.answer(t.caller.get(ctx, t.table, t.namespace, name))
}

func (t typed[T, L]) List(ctx context.Context, opts metav1.ListOptions) (L, error) {
	records, revision, err := t.caller.list(ctx, t.table, t.namespace, opts)
	return t.table.listOf(records, revision).(L), err
}

func (t *table) listOf(records []*record, revision int64) runtime.Object {
	return t.kind.list(records, metav1.ListMeta{ResourceVersion: strconv.FormatInt(revision, 10)})
}

func (t typed[T, L]) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return t.caller.watch(ctx, t.table, t.namespace, opts)
}

func (t typed[T, L]) Create(ctx context.Context, o T, opts metav1.CreateOptions) (T, error) {
	return t.answer(t.caller.create(ctx, t.table, t.namespace, o, opts.DryRun))
}

func (t typed[T, L]) Update(ctx context.Context, o T, opts metav1.UpdateOptions) (T, error) {
	return t.answer(t.caller.update(ctx, t.table, t.namespace, "", o, opts.DryRun))
}

func (t typed[T, L]) UpdateStatus(ctx context.Context, o T, opts metav1.UpdateOptions) (T, error) {
	return t.answer(t.caller.update(ctx, t.table, t.namespace, "status", o, opts.DryRun))
}

func (t typed[T, L]) Patch(ctx context.Context, name string, how types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (T, error) {
	if err := checkDryRun(opts.DryRun); err != nil {
		return t.answer(nil, err)
	}
	return t.answer(t.caller.patch(ctx, t.table, t.namespace, name, strings.Join(subresources, "/"), patch{how, data}))
}

func (t typed[T, L]) Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error {
	return t.caller.remove(ctx, t.table, t.namespace, name, opts)
}

func (t typed[T, L]) DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, selected metav1.ListOptions) error {
	return t.caller.removeAll(ctx, t.table, t.namespace, opts, selected)
}
