package kube

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/snapstorm/snapstorm/fakes"
)

var queues = []Kernel{
	{Name: "done-before-work", Class: "queues", Want: "property", Bug: doneBeforeWork, Fixed: doneBeforeWorkFixed, Others: relabelOften, Holds: oneBackupPerPod},
	{Name: "done-missing", Class: "queues", Want: "property", Bug: doneMissing, Fixed: doneMissingFixed, Others: relabel, Holds: labelsCopied},
	{Name: "drain-without-done", Class: "queues", Want: "leak", Bug: drainWithoutDone, Fixed: drainWithoutDoneFixed},
	{Name: "forget-missing", Class: "queues", Want: "panic", Bug: forgetMissing, Fixed: forgetMissingFixed},
	{Name: "objects-as-keys", Class: "queues", Want: "property", Bug: objectsAsKeys, Fixed: objectsAsKeysFixed, Others: addPods, Holds: oneBackupPerPod},
	{Name: "queue-left-open", Class: "queues", Want: "leak", Bug: queueLeftOpen, Fixed: queueLeftOpenFixed},
	{Name: "requeue-after-success", Class: "queues", Want: "hang", Bug: requeueAfterSuccess, Fixed: requeueAfterSuccessFixed, MaxSteps: 3_000},
	{Name: "shutdown-ignored", Class: "queues", Want: "hang", Bug: shutdownIgnored, Fixed: shutdownIgnoredFixed, MaxSteps: 3_000},
	{Name: "skip-while-busy", Class: "queues", Want: "property", Bug: skipWhileBusy, Fixed: skipWhileBusyFixed, Others: relabelOften, Holds: labelsMirrored},
}

// doneBeforeWork gives a key back before it works on it, so that two workers may have it at once.
func doneBeforeWork(ctx context.Context, e Env) {
	backUpAll(ctx, e, func(q queue, pod string) {
		q.Done(pod)
		e.backUp(ctx, pod)
	})
}

func doneBeforeWorkFixed(ctx context.Context, e Env) {
	backUpAll(ctx, e, func(q queue, pod string) {
		defer q.Done(pod)
		e.backUp(ctx, pod)
	})
}

func backUpAll(ctx context.Context, e Env, one func(queue, string)) {
	q := newQueue(ctx)
	e.onPods(q.Add)
	for range 4 {
		go func() {
			for pod, stopped := q.Get(); !stopped; pod, stopped = q.Get() {
				one(q, pod)
			}
		}()
	}
	e.Informers.Run(ctx)
}

// doneMissing keeps a key for which there is nothing to do, so that the queue never hands it out again.
func doneMissing(ctx context.Context, e Env) { copyLabels(ctx, e, func(queue, string) {}) }

func doneMissingFixed(ctx context.Context, e Env) {
	copyLabels(ctx, e, func(q queue, pod string) { q.Done(pod) })
}

func copyLabels(ctx context.Context, e Env, skipped func(q queue, pod string)) {
	q := newQueue(ctx)
	e.onPods(q.Add)
	go e.Informers.Run(ctx)
	for pod, stopped := q.Get(); !stopped; pod, stopped = q.Get() {
		if copied, _ := e.copyLabel(ctx, pod); !copied {
			skipped(q, pod)
			continue
		}
		q.Done(pod)
	}
}

// forgetMissing never says that a key succeeded, so that each failure is paid with a longer wait than the one before.
func forgetMissing(ctx context.Context, _ Env) { renew(ctx, func(queue, string) {}) }

func forgetMissingFixed(ctx context.Context, _ Env) {
	renew(ctx, func(q queue, pod string) { q.Forget(pod) })
}

// renew renews the lease of a pod eight times. The first attempt of each always fails.
func renew(ctx context.Context, succeeded func(q queue, pod string)) {
	q := newQueue(ctx)
	q.Add("a")
	var failed time.Time
	for renewed := 0; renewed < 8; {
		pod, stopped := q.Get()
		switch {
		case stopped:
			return
		case failed.IsZero():
			failed = time.Now()
			q.AddRateLimited(pod)
		case time.Since(failed) > time.Minute:
			panic("the lease of pod " + pod + " ran out")
		default:
			failed = time.Time{}
			renewed++
			succeeded(q, pod)
			q.Add(pod)
		}
		q.Done(pod)
	}
}

// objectsAsKeys queues objects, so that two states of one pod are two keys.
func objectsAsKeys(ctx context.Context, e Env) {
	backUpQueued(ctx, e, func(p *corev1.Pod) *corev1.Pod { return p }, func(p *corev1.Pod) string { return p.Name })
}

func objectsAsKeysFixed(ctx context.Context, e Env) {
	backUpQueued(ctx, e, func(p *corev1.Pod) string { return p.Name }, func(name string) string { return name })
}

func backUpQueued[K comparable](ctx context.Context, e Env, key func(*corev1.Pod) K, name func(K) string) {
	q := workqueue.NewTyped[K]()
	add := func(o any) { q.Add(key(o.(*corev1.Pod))) }
	handle(e.Informers.Pods(), cache.ResourceEventHandlerFuncs{AddFunc: add, UpdateFunc: func(_, o any) { add(o) }})
	for range 2 {
		go func() {
			for k, stopped := q.Get(); !stopped; k, stopped = q.Get() {
				e.backUp(ctx, name(k))
				q.Done(k)
			}
		}()
	}
	e.Informers.Run(ctx)
	q.ShutDown()
}

// requeueAfterSuccess tries again what succeeded, and has the queue forget that it did so before.
func requeueAfterSuccess(ctx context.Context, e Env) {
	annotateAll(ctx, e, func(q queue, pod string, err error) {
		if err == nil {
			q.Forget(pod)
		}
		q.AddRateLimited(pod)
	})
}

func requeueAfterSuccessFixed(ctx context.Context, e Env) {
	annotateAll(ctx, e, func(q queue, pod string, err error) {
		if err == nil {
			q.Forget(pod)
			return
		}
		q.AddRateLimited(pod)
	})
}

func annotateAll(ctx context.Context, e Env, next func(q queue, pod string, err error)) {
	q := newQueue(ctx)
	e.onPods(q.Add)
	go e.Informers.Run(ctx)
	for pod, stopped := q.Get(); !stopped; pod, stopped = q.Get() {
		next(q, pod, e.annotate(ctx, pod, "seen", "yes"))
		q.Done(pod)
	}
}

// skipWhileBusy drops the events of a pod that it works on, though it may have read the pod before they came.
func skipWhileBusy(ctx context.Context, e Env) {
	var b busy
	mirrorLabels(ctx, e, &b, func(q queue, pod string) {
		if !b.has(pod) {
			q.Add(pod)
		}
	})
}

func skipWhileBusyFixed(ctx context.Context, e Env) {
	var b busy
	mirrorLabels(ctx, e, &b, func(q queue, pod string) { q.Add(pod) })
}

// mirrorLabels writes the label "value" of each pod into an annotation of its snapshot.
func mirrorLabels(ctx context.Context, e Env, b *busy, event func(q queue, pod string)) {
	q := newQueue(ctx)
	e.onPods(func(pod string) { event(q, pod) })
	go e.Informers.Run(ctx)
	work(q, func(pod string) error {
		b.set(pod)
		defer b.set("")
		p, err := e.pods().Get(ctx, pod, metav1.GetOptions{})
		if err != nil {
			return err
		}
		time.Sleep(time.Second) // a backup takes its time
		s, err := e.snapshots().Get(ctx, pod, metav1.GetOptions{})
		if err != nil {
			return nil // not every pod has one
		}
		s.Annotations = map[string]string{"seen": p.Labels["value"]}
		_, err = e.snapshots().Update(ctx, s, metav1.UpdateOptions{})
		return err
	})
}

func relabelOften(ctx context.Context, e Env) {
	for i := range 8 {
		time.Sleep(300 * time.Millisecond)
		for _, pod := range []string{"a", "b"} {
			e.label(ctx, pod, "value", fmt.Sprint(i))
		}
	}
}

func labelsMirrored(c *fakes.Cluster) error {
	for _, s := range c.VolumeSnapshots() {
		if got, want := s.Annotations["seen"], c.Pod(namespace, s.Name).Labels["value"]; got != want {
			return fmt.Errorf("pod %s has the label %q and its snapshot the annotation %q", s.Name, want, got)
		}
	}
	return nil
}

// busy is which pod is being worked on.
type busy struct {
	mu  sync.Mutex
	pod string
}

func (b *busy) has(pod string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pod == pod
}

func (b *busy) set(pod string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pod = pod
}
