package kube

import (
	"context"
	"fmt"
	"sync"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/snapstorm/snapstorm/fakes"
)

var handlers = []Kernel{
	{Name: "event-after-removal", Class: "handlers", Want: "panic", Bug: eventAfterRemoval, Fixed: eventAfterRemovalFixed, Others: relabel},
	{Name: "handler-in-locked-start", Class: "handlers", Want: "stuck", Bug: lockedStart, Fixed: lockedStartFixed},
	{Name: "handler-waits-for-start", Class: "handlers", Want: "stuck", Bug: startGate, Fixed: startGateFixed},
	{Name: "informer-synced-not-handler", Class: "handlers", Want: "panic", Bug: countEarly, Fixed: countEarlyFixed},
	{Name: "informers-in-order", Class: "handlers", Want: "panic", Bug: informersInOrder, Fixed: informersInOrderFixed, Others: snapshotThenPod},
	{Name: "resync-as-change", Class: "handlers", Want: "property", Bug: resyncAsChange, Fixed: resyncAsChangeFixed, Others: relabelA, Holds: onlyAChanged, Faults: fakes.Faults{Resyncs: 1}},
	{Name: "send-from-handler", Class: "handlers", Want: "stuck", Bug: sendFromHandler, Fixed: sendFromHandlerFixed, Others: deleteThenRelabel},
	{Name: "tombstone-cast", Class: "handlers", Want: "panic", Bug: tombstoneCast, Fixed: tombstoneCastFixed, Others: deletePods, Faults: fakes.Faults{Relists: 1}},
}

// eventAfterRemoval takes a handler for gone that has been removed, while it may still be in a call.
func eventAfterRemoval(ctx context.Context, e Env) {
	untilLabelled(ctx, e, func(r cache.ResourceEventHandlerRegistration) error {
		return e.Informers.Pods().RemoveEventHandler(r)
	})
}

func eventAfterRemovalFixed(ctx context.Context, e Env) {
	untilLabelled(ctx, e, func(r cache.ResourceEventHandlerRegistration) error {
		return cache.ShutDownEventHandler(e.Informers.Pods(), r)
	})
}

// untilLabelled keeps a session open until some pod is labelled.
func untilLabelled(ctx context.Context, e Env, remove func(cache.ResourceEventHandlerRegistration) error) {
	var s session
	labelled := make(chan bool, 100)
	r := handle(e.Informers.Pods(), cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, o any) {
		labelled <- true
		s.send(o.(*corev1.Pod).Name)
	}})
	go e.Informers.Run(ctx)
	select {
	case <-labelled:
	case <-ctx.Done():
	}
	if err := remove(r); err != nil {
		panic(err)
	}
	s.close()
}

type session struct {
	mu     sync.Mutex
	closed bool
	sent   []string
}

func (s *session) send(pod string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		panic("an event of pod " + pod + " for a session that is closed")
	}
	s.sent = append(s.sent, pod)
}

func (s *session) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// informersInOrder believes that a snapshot which was there before a pod is in its cache before that pod is.
func informersInOrder(ctx context.Context, e Env) {
	restoreAll(ctx, e, func(snapshot any, _ bool) *snapshotv1.VolumeSnapshot {
		return snapshot.(*snapshotv1.VolumeSnapshot)
	})
}

func informersInOrderFixed(ctx context.Context, e Env) {
	restoreAll(ctx, e, func(snapshot any, exists bool) *snapshotv1.VolumeSnapshot {
		if !exists {
			return nil // it comes with an event of its own
		}
		return snapshot.(*snapshotv1.VolumeSnapshot)
	})
}

func restoreAll(ctx context.Context, e Env, cast func(any, bool) *snapshotv1.VolumeSnapshot) {
	pods, snapshots := e.Informers.Pods(), e.Informers.VolumeSnapshots()
	go e.Informers.Run(ctx)
	if !synced(ctx, pods.HasSyncedChecker(), snapshots.HasSyncedChecker()) {
		return
	}
	restore := func(o any) {
		name := o.(metav1.Object).GetName()
		if name == "c" {
			return // it never has a snapshot
		}
		cached, exists, _ := snapshots.GetStore().GetByKey(namespace + "/" + name)
		if s := cast(cached, exists); s != nil {
			e.Log.InfoContext(ctx, "restore", "pod", name, "from", s.Name)
		}
	}
	handle(pods, cache.ResourceEventHandlerFuncs{AddFunc: restore})
	handle(snapshots, cache.ResourceEventHandlerFuncs{AddFunc: restore})
}

func snapshotThenPod(ctx context.Context, e Env) {
	for _, name := range []string{"d", "e", "f", "g"} {
		time.Sleep(time.Second)
		e.snapshots().Create(ctx, newSnapshot(name, name), metav1.CreateOptions{})
		e.pods().Create(ctx, newPod(name), metav1.CreateOptions{})
	}
}

// resyncAsChange takes a snapshot for each update, though a resync brings updates of pods that did not change.
func resyncAsChange(ctx context.Context, e Env) {
	snapshotChanged(ctx, e, func(_, _ *corev1.Pod) bool { return true })
}

func resyncAsChangeFixed(ctx context.Context, e Env) {
	snapshotChanged(ctx, e, func(old, p *corev1.Pod) bool { return old.ResourceVersion != p.ResourceVersion })
}

func snapshotChanged(ctx context.Context, e Env, changed func(old, p *corev1.Pod) bool) {
	handle(e.Informers.Pods(), cache.ResourceEventHandlerFuncs{UpdateFunc: func(old, o any) {
		if p := o.(*corev1.Pod); changed(old.(*corev1.Pod), p) {
			e.snapshots().Create(ctx, newSnapshot("changed-"+p.Name, p.Name), metav1.CreateOptions{})
		}
	}})
	e.Informers.Run(ctx)
}

func relabelA(ctx context.Context, e Env) { e.label(ctx, "a", "value", "1") }

func onlyAChanged(c *fakes.Cluster) error {
	for _, pod := range []string{"b", "c"} {
		if c.VolumeSnapshot(namespace, "changed-"+pod) != nil {
			return fmt.Errorf("pod %s did not change and has a snapshot of its change", pod)
		}
	}
	return nil
}

// sendFromHandler hands its events to a loop that ends at the first pod which is gone.
func sendFromHandler(ctx context.Context, e Env) {
	forward(ctx, e, func(context.Context, string) bool { return false })
}

func sendFromHandlerFixed(ctx context.Context, e Env) {
	forward(ctx, e, func(ctx context.Context, pod string) bool {
		e.Log.InfoContext(ctx, "gone", "pod", pod)
		return true
	})
}

func forward(ctx context.Context, e Env, gone func(ctx context.Context, pod string) bool) {
	events := make(chan string)
	e.onPods(func(pod string) {
		select {
		case events <- pod:
		case <-ctx.Done():
		}
	})
	go e.Informers.Run(ctx)
	for ctx.Err() == nil {
		select {
		case pod := <-events:
			if err := e.annotate(ctx, pod, "seen", "yes"); err != nil && !gone(ctx, pod) {
				return
			}
		case <-ctx.Done():
		}
	}
}

func deleteThenRelabel(ctx context.Context, e Env) {
	e.pods().Delete(ctx, "a", metav1.DeleteOptions{})
	for i := range 3 {
		e.label(ctx, "b", "value", fmt.Sprint(i))
	}
}

// tombstoneCast expects pods only where an informer also hands out what it knows last of one.
func tombstoneCast(ctx context.Context, e Env) {
	handle(e.Informers.Pods(), cache.ResourceEventHandlerFuncs{DeleteFunc: func(o any) {
		e.Log.InfoContext(ctx, "gone", "pod", o.(*corev1.Pod).Name)
	}})
	e.Informers.Run(ctx)
}

func tombstoneCastFixed(ctx context.Context, e Env) {
	handle(e.Informers.Pods(), cache.ResourceEventHandlerFuncs{DeleteFunc: func(o any) {
		if last, ok := o.(cache.DeletedFinalStateUnknown); ok {
			o = last.Obj
		}
		e.Log.InfoContext(ctx, "gone", "pod", o.(*corev1.Pod).Name)
	}})
	e.Informers.Run(ctx)
}

func deletePods(ctx context.Context, e Env) {
	for _, pod := range []string{"a", "b", "c"} {
		e.pods().Delete(ctx, pod, metav1.DeleteOptions{})
	}
}
