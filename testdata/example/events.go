package example

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// byOwner is the index of pods by the UID of the widget that they belong to.
const byOwner = "owner"

func indexByOwner(pod any) ([]string, error) {
	if owner := ownerOf(pod); owner != nil {
		return []string{string(owner.UID)}, nil
	}
	return nil, nil
}

// listen queues a widget when it or one of its pods has changed, or when a pod
// has changed hands. When a widget is gone there is nothing to do.
func (r *Reconciler) listen() error {
	_, ofWidgets := r.Widgets.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    r.enqueue,
		UpdateFunc: func(_, widget any) { r.enqueue(widget) },
	})
	indexed := r.Pods.AddIndexers(cache.Indexers{byOwner: indexByOwner})
	_, ofPods := r.Pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    r.enqueueOwner,
		UpdateFunc: func(before, after any) { r.enqueueOwner(before); r.enqueueOwner(after) },
		DeleteFunc: r.enqueueOwner,
	})
	return errors.Join(ofWidgets, indexed, ofPods)
}

func (r *Reconciler) enqueue(widget any) {
	if name, err := cache.ObjectToName(widget); err == nil {
		r.queue.Add(name)
	}
}

// enqueueOwner knows that a deletion may have been missed, and that after it an
// old state of the pod is all that is left.
func (r *Reconciler) enqueueOwner(pod any) {
	if gone, ok := pod.(cache.DeletedFinalStateUnknown); ok {
		pod = gone.Obj
	}
	if owner := ownerOf(pod); owner != nil {
		r.queue.Add(cache.ObjectName{Namespace: pod.(metav1.Object).GetNamespace(), Name: owner.Name})
	}
}

// ownerOf returns the widget that an object belongs to, or nil.
func ownerOf(o any) *metav1.OwnerReference {
	object, ok := o.(metav1.Object)
	if !ok {
		return nil
	}
	owner := metav1.GetControllerOfNoCopy(object)
	if owner == nil || owner.Kind != WidgetKind.Kind || owner.APIVersion != GroupVersion.String() {
		return nil
	}
	return owner
}
