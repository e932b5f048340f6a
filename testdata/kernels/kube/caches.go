package kube

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/snapstorm/snapstorm/fakes"
)

var caches = []Kernel{
	{Name: "cached-labels-changed", Class: "caches", Want: "property", Bug: cachedLabelsChanged, Fixed: cachedLabelsChangedFixed},
	{Name: "cached-object-changed", Class: "caches", Want: "data-race", Bug: cachedObjectChanged, Fixed: cachedObjectChangedFixed},
	{Name: "missed-while-down", Class: "caches", Want: "property", Bug: missedWhileDown, Fixed: missedWhileDownFixed, Others: deletePods, Holds: noOrphans, Crashes: 1},
	{Name: "own-write-unseen", Class: "caches", Want: "property", Bug: ownWriteUnseen, Fixed: ownWriteUnseenFixed, Others: addPods, Holds: oneBackupPerPod},
	{Name: "own-write-unseen-after-restart", Class: "caches", Want: "property", Bug: ownWriteUnseen, Fixed: ownWriteUnseenFixed, Holds: oneBackupPerPod, Crashes: 3, Faults: fakes.Faults{StaleLists: 3}, Schedules: 300, Why: "a crash must come soon after a create, and the list from before it"},
	{Name: "recreated-as-updated", Class: "caches", Want: "property", Bug: recreatedAsUpdated, Fixed: recreatedAsUpdatedFixed, Others: recreatePods, Holds: allGreeted, Faults: fakes.Faults{Relists: 1}},
	{Name: "sweep-after-restart", Class: "caches", Want: "property", Bug: sweepAfterRestart, Fixed: sweepAfterRestartFixed, Others: createPods, Holds: noneDeleted, Crashes: 1, Faults: fakes.Faults{StaleLists: 2}},
}

// cachedLabelsChanged writes into the labels of a cached pod, which another handler reads.
func cachedLabelsChanged(ctx context.Context, e Env) {
	twoHandlers(ctx, e, func(p *corev1.Pod) { p.Labels["team"] = "storage" })
}

func cachedLabelsChangedFixed(ctx context.Context, e Env) {
	twoHandlers(ctx, e, func(p *corev1.Pod) {
		p = p.DeepCopy()
		p.Labels["team"] = "storage"
	})
}

// cachedObjectChanged gives a cached pod a default, which another handler reads.
func cachedObjectChanged(ctx context.Context, e Env) {
	twoHandlers(ctx, e, func(p *corev1.Pod) { p.Labels = maps.Clone(p.Labels) })
}

func cachedObjectChangedFixed(ctx context.Context, e Env) {
	twoHandlers(ctx, e, func(p *corev1.Pod) {
		p = p.DeepCopy()
		p.Labels = maps.Clone(p.Labels)
	})
}

func twoHandlers(ctx context.Context, e Env, change func(*corev1.Pod)) {
	handle(e.Informers.Pods(), cache.ResourceEventHandlerFuncs{AddFunc: func(o any) { change(o.(*corev1.Pod)) }})
	handle(e.Informers.Pods(), cache.ResourceEventHandlerFuncs{AddFunc: func(o any) {
		e.Log.InfoContext(ctx, "pod", "app", o.(*corev1.Pod).Labels["app"])
	}})
	e.Informers.Run(ctx)
}

// missedWhileDown deletes the snapshots of pods whose deletion it sees, but not of those that went while it was down.
func missedWhileDown(ctx context.Context, e Env) { collect(ctx, e, func() {}) }

func missedWhileDownFixed(ctx context.Context, e Env) {
	collect(ctx, e, func() { e.sweep(ctx, e.isGone) })
}

func collect(ctx context.Context, e Env, start func()) {
	gone := make(chan string, 10)
	handle(e.Informers.Pods(), cache.ResourceEventHandlerFuncs{DeleteFunc: func(o any) {
		key, _ := cache.DeletionHandlingObjectToName(o)
		gone <- key.Name
	}})
	go e.Informers.Run(ctx)
	synced(ctx, e.Informers.Pods().HasSyncedChecker())
	start()
	for ctx.Err() == nil {
		select {
		case pod := <-gone:
			e.snapshots().Delete(ctx, pod, metav1.DeleteOptions{})
		case <-ctx.Done():
		}
	}
}

// sweep deletes the snapshots of pods that are gone.
func (e Env) sweep(ctx context.Context, gone func(ctx context.Context, pod string) bool) {
	all, err := e.snapshots().List(ctx, metav1.ListOptions{})
	if err != nil {
		return
	}
	for _, s := range all.Items {
		if gone(ctx, s.Labels[podLabel]) {
			e.snapshots().Delete(ctx, s.Name, metav1.DeleteOptions{})
		}
	}
}

// isGone asks the API server.
func (e Env) isGone(ctx context.Context, pod string) bool {
	_, err := e.pods().Get(ctx, pod, metav1.GetOptions{})
	return apierrors.IsNotFound(err)
}

func noOrphans(c *fakes.Cluster) error {
	for _, s := range c.VolumeSnapshots() {
		if c.Pod(namespace, s.Labels[podLabel]) == nil {
			return fmt.Errorf("snapshot %s is there and its pod is not", s.Name)
		}
	}
	return nil
}

// ownWriteUnseen creates what its cache does not hold, though it may have created that itself a moment ago.
func ownWriteUnseen(ctx context.Context, e Env) {
	backUpFromCache(ctx, e, func(s *snapshotv1.VolumeSnapshot, pod string) { s.GenerateName = "backup-" })
}

func ownWriteUnseenFixed(ctx context.Context, e Env) {
	backUpFromCache(ctx, e, func(s *snapshotv1.VolumeSnapshot, pod string) { s.Name = "backup-" + pod })
}

func backUpFromCache(ctx context.Context, e Env, name func(s *snapshotv1.VolumeSnapshot, pod string)) {
	pods, cached := e.Informers.Pods(), e.Informers.VolumeSnapshots()
	go e.Informers.Run(ctx)
	if !synced(ctx, pods.HasSyncedChecker(), cached.HasSyncedChecker()) {
		return
	}
	e.onPods(func(pod string) {
		for _, o := range cached.GetStore().List() {
			if o.(*snapshotv1.VolumeSnapshot).Labels[backupLabel] == pod {
				return
			}
		}
		s := newSnapshot("", pod)
		s.Labels[backupLabel] = pod
		name(s, pod)
		e.snapshots().Create(ctx, s, metav1.CreateOptions{})
	})
}

// recreatedAsUpdated takes a pod for the one that it knew because it has the same name and labels.
func recreatedAsUpdated(ctx context.Context, e Env) {
	greet(ctx, e, func(old, p *corev1.Pod) bool { return !maps.Equal(old.Labels, p.Labels) })
}

func recreatedAsUpdatedFixed(ctx context.Context, e Env) {
	greet(ctx, e, func(old, p *corev1.Pod) bool { return old.UID != p.UID || !maps.Equal(old.Labels, p.Labels) })
}

// greet writes its UID into an annotation of each pod.
func greet(ctx context.Context, e Env, changed func(old, p *corev1.Pod) bool) {
	q := newQueue(ctx)
	handle(e.Informers.Pods(), cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) { q.Add(o.(*corev1.Pod).Name) },
		UpdateFunc: func(old, o any) {
			if p := o.(*corev1.Pod); changed(old.(*corev1.Pod), p) {
				q.Add(p.Name)
			}
		},
	})
	go e.Informers.Run(ctx)
	work(q, func(pod string) error {
		p, err := e.pods().Get(ctx, pod, metav1.GetOptions{})
		if err != nil {
			return nil // it comes back with an event
		}
		e.annotate(ctx, pod, "greeted", string(p.UID))
		return nil
	})
}

func recreatePods(ctx context.Context, e Env) {
	for _, pod := range []string{"a", "b", "c"} {
		time.Sleep(time.Second)
		e.pods().Delete(ctx, pod, metav1.DeleteOptions{})
		e.pods().Create(ctx, newPod(pod), metav1.CreateOptions{})
	}
}

func allGreeted(c *fakes.Cluster) error {
	for _, p := range c.Pods() {
		if got := p.Annotations["greeted"]; got != string(p.UID) {
			return fmt.Errorf("pod %s with UID %s was greeted as %q", p.Name, p.UID, got)
		}
	}
	return nil
}

// sweepAfterRestart deletes the snapshots of pods that its cache does not hold, which may be older than they are.
func sweepAfterRestart(ctx context.Context, e Env) {
	sweepAndBackUp(ctx, e, func() func(context.Context, string) bool {
		known := e.Informers.Pods().GetStore().ListKeys()
		return func(_ context.Context, pod string) bool { return !slices.Contains(known, namespace+"/"+pod) }
	})
}

func sweepAfterRestartFixed(ctx context.Context, e Env) {
	sweepAndBackUp(ctx, e, func() func(context.Context, string) bool { return e.isGone })
}

func sweepAndBackUp(ctx context.Context, e Env, gone func() func(ctx context.Context, pod string) bool) {
	q := newQueue(ctx)
	e.onPods(q.Add)
	go e.Informers.Run(ctx)
	if !synced(ctx, e.Informers.Pods().HasSyncedChecker()) {
		return
	}
	e.sweep(ctx, gone())
	work(q, func(pod string) error { return e.backUp(ctx, pod) })
}

func createPods(ctx context.Context, e Env) {
	for _, pod := range []string{"d", "e"} {
		time.Sleep(time.Second)
		e.pods().Create(ctx, newPod(pod), metav1.CreateOptions{})
	}
}

func noneDeleted(c *fakes.Cluster) error {
	for _, change := range c.Changes() {
		if change.Type == watch.Deleted {
			return fmt.Errorf("%s %s was deleted, and its pod is there", change.Resource, change.Key)
		}
	}
	return nil
}
