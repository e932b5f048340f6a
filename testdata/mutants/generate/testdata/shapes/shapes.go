// Package shapes has what each operator looks for.
package shapes

import (
	"context"
	"errors"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
	"k8s.io/client-go/util/workqueue"
)

type board struct {
	mu    sync.Mutex
	seats map[string]chan string
	queue workqueue.TypedRateLimitingInterface[string]
	pods  client.PodsGetter
}

func (b *board) locks(name string, seat chan string) {
	b.mu.Lock()
	b.seats[name] = make(chan string, 1)
	b.seats[name] = seat
	b.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seats[name] == seat {
		delete(b.seats, name)
	}
}

func (b *board) channels(seat chan string, look func() bool, stop <-chan struct{}) {
	select {
	case seat <- "news":
	default:
	}
	for {
		if look() {
			return
		}
		select {
		case <-seat:
		case <-stop:
		}
	}
}

func (b *board) goroutines() {
	var all sync.WaitGroup
	all.Go(func() { b.queue.Add("") })
	all.Wait()
}

func (b *board) contexts(parent context.Context) error {
	ctx, cancel := context.WithTimeout(parent, time.Second)
	defer cancel()
	if ctx.Err() != nil {
		b.goroutines()
	}
	return b.update(parent, nil)
}

func (b *board) update(_ context.Context, pod *corev1.Pod) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		_, err := b.pods.Pods("").Update(context.TODO(), pod, metav1.UpdateOptions{})
		if apierrors.IsNotFound(err) || errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	})
}

func (b *board) checks(pod *corev1.Pod, uid types.UID) (err error) {
	if pod.UID != uid || pod.DeletionTimestamp != nil {
		return nil
	}
	if err == nil {
		err = b.update(context.TODO(), pod)
	}
	if err == nil {
		err = b.pods.Pods("").Delete(context.TODO(), pod.Name, metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(uid))})
	}
	return err
}

func (b *board) handlers(seen func(any)) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: seen,
		DeleteFunc: func(o any) {
			switch gone := o.(type) {
			case cache.DeletedFinalStateUnknown:
				seen(gone.Obj)
			}
		},
	}
}
