package fakes

import (
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Type is a resource that a cluster can serve. It is made by TypeOf.
type Type struct{ kind *kind }

// TypeOf returns the type for a custom resource, such as
//
//	fakes.TypeOf[*v1.Widget, *v1.WidgetList](v1.SchemeGroupVersion.WithResource("widgets"))
//
// Its kind has the name of the Go type, and it is namespaced. If it has a
// field Status, then it has a status subresource, and no other write changes
// that field. A write that changes anything but the metadata and the status
// makes a new generation. It panics if the first Go type is no pointer to a
// struct with ObjectMeta, or the second none with ListMeta and Items of the
// first.
func TypeOf[T interface {
	object
	DeepCopyInto(T)
}, L runtime.Object](resource schema.GroupVersionResource) Type {
	one, list := structOf(reflect.TypeFor[T]()), structOf(reflect.TypeFor[L]())
	mustBeList(list, one)
	k := &kind{
		resource:   resource,
		kind:       resource.GroupVersion().WithKind(one.Name()),
		namespaced: true,
		custom:     true,
		numbered:   true,
		goType:     reflect.TypeFor[T](),
		listType:   reflect.TypeFor[L](),
		status:     -1,
		copyInto:   func(o object, into reflect.Value) { o.(T).DeepCopyInto(into.Addr().Interface().(T)) },
		grace:      func(object) int64 { return 0 },
		selectable: func(object) fields.Set { return nil },
	}
	k.newborn = k.clearStatus
	k.divide()
	return Type{k}
}

func structOf(t reflect.Type) reflect.Type {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("fakes: %s is no pointer to a struct: name the types as *Widget and *WidgetList", t))
	}
	return t.Elem()
}

func mustBeList(list, one reflect.Type) {
	meta, hasMeta := list.FieldByName("ListMeta")
	items, hasItems := list.FieldByName("Items")
	if !hasMeta || meta.Type != reflect.TypeFor[metav1.ListMeta]() || !hasItems || items.Type != reflect.SliceOf(one) {
		panic(fmt.Sprintf("fakes: %s is no list of %s: want a struct with ListMeta and Items", list, one))
	}
}

// divide tells the fields of the spec, the status and the metadata apart.
func (k *kind) divide() {
	for n := range k.goType.Elem().NumField() {
		switch f := k.goType.Elem().Field(n); {
		case f.Name == "Status":
			k.status = n
		case f.Name != "TypeMeta" && f.Name != "ObjectMeta" && f.IsExported():
			k.spec = append(k.spec, n)
		}
	}
}

// clearStatus is the status of a newborn of which no controller knows.
func (k *kind) clearStatus(o object) {
	if k.status >= 0 {
		fieldOf(o, k.status).SetZero()
	}
}

// ClusterScoped returns the same type without namespaces.
func (t Type) ClusterScoped() Type { return t.with(func(k *kind) { k.namespaced = false }) }

// Named returns the same type under another name for its kind.
func (t Type) Named(name string) Type { return t.with(func(k *kind) { k.kind.Kind = name }) }

// BuiltIn returns the same type with the rules for types that are compiled
// into the API server: an update may leave out the resourceVersion, strategic
// merge patches are served, and objects have no generation.
func (t Type) BuiltIn() Type {
	return t.with(func(k *kind) { k.custom, k.numbered = false, false })
}

func (t Type) with(change func(*kind)) Type {
	k := *t.kind
	change(&k)
	return Type{&k}
}

// kinds returns what a cluster with these options serves. The first four are
// at the places that the constants of builtins.go name.
func (o Options) kinds() []*kind {
	var all []*kind
	for _, t := range append(always[:], o.Types...) {
		if t.kind == nil {
			panic("fakes: an empty Type among the Options' Types: make each with TypeOf")
		}
		for _, k := range all {
			if k.resource == t.kind.resource || k.goType == t.kind.goType {
				panic(fmt.Sprintf("fakes: %s is served already: leave it out of the Options' Types", t.kind.resource.GroupResource()))
			}
		}
		all = append(all, t.kind)
	}
	return all
}
