package fakes

import (
	"reflect"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// object is what all served types are.
type object interface {
	runtime.Object
	metav1.Object
}

// kind is what the API server knows of one resource. It is never changed once
// a cluster serves it.
type kind struct {
	resource   schema.GroupVersionResource
	kind       schema.GroupVersionKind
	namespaced bool
	custom     bool // served from a definition: updates need a resourceVersion
	numbered   bool // objects have generations, and a new spec is a new one
	orphans    bool // a deletion that says nothing else leaves dependents alone

	goType   reflect.Type // of an object, a pointer
	listType reflect.Type // of a list, a pointer
	spec     []int        // the fields that an update sets, besides the metadata
	status   int          // the field that the status subresource sets, or -1
	copyInto func(object, reflect.Value)

	newborn    func(object)            // sets the status at creation
	grace      func(object) int64      // seconds that a deletion leaves to the object
	selectable func(object) fields.Set // besides name and namespace
}

// fresh returns a new empty object.
func (k *kind) fresh() object { return reflect.New(k.goType.Elem()).Interface().(object) }

// list returns a list with copies of the objects.
func (k *kind) list(records []*record, meta metav1.ListMeta) runtime.Object {
	list := reflect.New(k.listType.Elem())
	items := list.Elem().FieldByName("Items")
	items.Set(reflect.MakeSlice(items.Type(), len(records), len(records)))
	for i, r := range records {
		k.copyInto(r.object, items.Index(i))
		if k.custom { // such a server names the kind of each item, and clients only take it off the whole
			items.Index(i).Addr().Interface().(object).GetObjectKind().SetGroupVersionKind(k.kind)
		}
	}
	list.Elem().FieldByName("ListMeta").Set(reflect.ValueOf(meta))
	return list.Interface().(runtime.Object)
}

// fieldOf returns a field of an object.
func fieldOf(o object, n int) reflect.Value { return reflect.ValueOf(o).Elem().Field(n) }

// sameSpec compares all but the metadata and the status.
func (k *kind) sameSpec(a, b object) bool {
	for _, n := range k.spec {
		if !sameField(a, b, n) {
			return false
		}
	}
	return true
}

func (k *kind) sameStatus(a, b object) bool { return k.status < 0 || sameField(a, b, k.status) }

func sameField(a, b object, n int) bool {
	return equality.Semantic.DeepEqual(fieldOf(a, n).Addr().Interface(), fieldOf(b, n).Addr().Interface())
}

// takeStatus gives an object a copy of the status of another. Only whole
// objects can copy themselves, so an otherwise empty one carries it over.
func (k *kind) takeStatus(to, from object) {
	if k.status < 0 {
		return
	}
	carrier := k.fresh()
	fieldOf(carrier, k.status).Set(fieldOf(from, k.status))
	fieldOf(to, k.status).Set(fieldOf(carrier.DeepCopyObject().(object), k.status))
}

func (k *kind) groupResource() schema.GroupResource { return k.resource.GroupResource() }

// key is where an object is kept: namespace/name, or the name alone.
func (k *kind) key(namespace, name string) string {
	if !k.namespaced {
		return name
	}
	return namespace + "/" + name
}
