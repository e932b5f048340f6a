package monitor

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// reconciler turns every change of one kind of object into a modified event,
// with one worker.
type reconciler struct {
	informer cache.SharedIndexInformer
	queue    workqueue.TypedInterface[types.NamespacedName]
}

func newReconciler(informer cache.SharedIndexInformer) *reconciler {
	return &reconciler{informer: informer, queue: workqueue.NewTyped[types.NamespacedName]()}
}

func (r *reconciler) handler() cache.ResourceEventHandler {
	add := func(obj any) {
		if key, err := cache.DeletionHandlingObjectToName(obj); err == nil {
			r.queue.Add(key.AsNamespacedName())
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    add,
		UpdateFunc: func(_, obj any) { add(obj) },
		DeleteFunc: add,
	}
}

// run forwards changes until the queue is shut down. Deletions are not
// forwarded.
func (r *reconciler) run(ctx context.Context, pool *eventPool) {
	for {
		key, stopped := r.queue.Get()
		if stopped {
			return
		}
		obj, found, err := r.informer.GetIndexer().GetByKey(key.String())
		if err == nil && found {
			// A pod's queue is its instance id and a snapshot's its name, which
			// are the same string.
			pool.add(ctx, event{queue: key.Name, object: obj})
		}
		r.queue.Done(key)
	}
}
