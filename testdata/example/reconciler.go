package example

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// WidgetClient is what a Reconciler needs of a client for widgets.
type WidgetClient interface {
	UpdateStatus(context.Context, *Widget, metav1.UpdateOptions) (*Widget, error)
}

// PodClient is what a Reconciler needs of a client for pods.
type PodClient interface {
	Create(context.Context, *corev1.Pod, metav1.CreateOptions) (*corev1.Pod, error)
	Delete(ctx context.Context, name string, opts metav1.DeleteOptions) error
}

// Reconciler gives every widget its pods, and writes into its status how many
// there are. All exported fields are required.
type Reconciler struct {
	Widgets, Pods cache.SharedIndexInformer // whoever made them runs them
	WidgetsIn     func(namespace string) WidgetClient
	PodsIn        func(namespace string) PodClient
	Plan          Plan
	Log           *slog.Logger

	queue workqueue.TypedRateLimitingInterface[cache.ObjectName] // of widgets
}

const (
	workers           = 2
	firstRetryPause   = 50 * time.Millisecond
	longestRetryPause = 30 * time.Second
)

// Run works until ctx ends. It returns when all its workers have.
func (r *Reconciler) Run(ctx context.Context) error {
	r.queue = workqueue.NewTypedRateLimitingQueue(
		workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](firstRetryPause, longestRetryPause))
	defer r.queue.ShutDown()
	if err := r.listen(); err != nil {
		return err
	}
	if !cache.WaitForCacheSync(ctx.Done(), r.Widgets.HasSynced, r.Pods.HasSynced) {
		return nil
	}
	var running sync.WaitGroup
	for range workers {
		running.Go(func() { r.work(ctx) })
	}
	<-ctx.Done()
	r.queue.ShutDown()
	running.Wait()
	return nil
}

// work reconciles one widget after another. The queue never gives one widget
// to two workers.
func (r *Reconciler) work(ctx context.Context) {
	for {
		widget, stopped := r.queue.Get()
		if stopped {
			return
		}
		if err := r.reconcile(ctx, widget); err != nil {
			r.Log.WarnContext(ctx, "will try again", "widget", widget, "error", err)
			r.queue.AddRateLimited(widget)
		} else {
			r.queue.Forget(widget)
		}
		r.queue.Done(widget)
	}
}

// reconcile brings one widget nearer to what it wants. It need not succeed, nor
// know what has happened: whatever it does causes events, and those bring it
// back here.
func (r *Reconciler) reconcile(ctx context.Context, name cache.ObjectName) error {
	cached, exists, err := r.Widgets.GetIndexer().GetByKey(name.String())
	if err != nil || !exists {
		return err
	}
	widget := cached.(*Widget)
	if widget.DeletionTimestamp != nil {
		return nil
	}
	have, err := r.podsOf(widget)
	if err != nil {
		return err
	}
	return errors.Join(r.scale(ctx, widget, have), r.report(ctx, widget, len(have)))
}

// scale makes the missing pods and deletes those that are too many. A pod that
// exists already is an error like others: either the cache will show it soon,
// or an earlier widget's pod of that name is on its way out.
func (r *Reconciler) scale(ctx context.Context, widget *Widget, have []*corev1.Pod) error {
	pods := r.PodsIn(widget.Namespace)
	missing, surplus := r.Plan(widget, have)
	for _, pod := range missing {
		if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	for _, pod := range surplus {
		only := metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(pod.UID))}
		if err := pods.Delete(ctx, pod.Name, only); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

// report writes the status. It fails if the cached widget is an old one, and is
// tried again then.
func (r *Reconciler) report(ctx context.Context, widget *Widget, pods int) error {
	if widget.Status.Pods == pods {
		return nil
	}
	widget = widget.DeepCopy() // what is in the cache belongs to all
	widget.Status.Pods = pods
	_, err := r.WidgetsIn(widget.Namespace).UpdateStatus(ctx, widget, metav1.UpdateOptions{})
	return err
}

// podsOf returns the pods of a widget in the cache. One that is being deleted
// counts until it is gone, and is replaced then.
func (r *Reconciler) podsOf(widget *Widget) ([]*corev1.Pod, error) {
	found, err := r.Pods.GetIndexer().ByIndex(byOwner, string(widget.UID))
	var pods []*corev1.Pod
	for _, pod := range found {
		pods = append(pods, pod.(*corev1.Pod))
	}
	return pods, err
}
