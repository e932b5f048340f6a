package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	snapshotclient "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/typed/volumesnapshot/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/snapstorm/snapstorm/fakes"
)

func (e Env) pods() corev1client.PodInterface { return e.Kubernetes.CoreV1().Pods(namespace) }

func (e Env) snapshots() snapshotclient.VolumeSnapshotInterface {
	return e.Snapshots.SnapshotV1().VolumeSnapshots(namespace)
}

// patch merges metadata into a pod.
func (e Env) patch(ctx context.Context, pod string, metadata map[string]any) error {
	body, err := json.Marshal(map[string]any{"metadata": metadata})
	if err != nil {
		return err
	}
	_, err = e.pods().Patch(ctx, pod, types.MergePatchType, body, metav1.PatchOptions{})
	return err
}

func (e Env) label(ctx context.Context, pod, name, value string) error {
	return e.patch(ctx, pod, map[string]any{"labels": map[string]any{name: value}})
}

func (e Env) annotate(ctx context.Context, pod, name, value string) error {
	return e.patch(ctx, pod, map[string]any{"annotations": map[string]any{name: value}})
}

// copyLabel writes the label "value" of a pod into its annotation "seen"; false if it stands there already.
func (e Env) copyLabel(ctx context.Context, pod string) (bool, error) {
	p, err := e.pods().Get(ctx, pod, metav1.GetOptions{})
	if err != nil || p.Labels["value"] == p.Annotations["seen"] {
		return false, err
	}
	return true, e.annotate(ctx, pod, "seen", p.Labels["value"])
}

// backupLabel names, on a snapshot, the pod that it is a kernel's own backup of.
const backupLabel = "backup"

// backUp takes a backup of a pod that has none.
func (e Env) backUp(ctx context.Context, pod string) error {
	taken, err := e.snapshots().List(ctx, metav1.ListOptions{LabelSelector: backupLabel + "=" + pod})
	if err != nil || len(taken.Items) > 0 {
		return err
	}
	time.Sleep(time.Second) // to bring the volume to rest
	s := newSnapshot("", pod)
	s.GenerateName, s.Labels[backupLabel] = pod+"-", pod
	_, err = e.snapshots().Create(ctx, s, metav1.CreateOptions{})
	return err
}

// queue holds names of pods.
type queue = workqueue.TypedRateLimitingInterface[string]

// newQueue returns a queue that is shut down when ctx ends.
func newQueue(ctx context.Context) queue {
	q := workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Second, time.Hour))
	go func() {
		<-ctx.Done()
		q.ShutDown()
	}()
	return q
}

// onPods calls f with the name of each pod of which there is an event.
func (e Env) onPods(f func(pod string)) cache.ResourceEventHandlerRegistration {
	named := func(o any) {
		key, err := cache.DeletionHandlingObjectToName(o)
		if err != nil {
			panic(err)
		}
		f(key.Name)
	}
	return handle(e.Informers.Pods(), cache.ResourceEventHandlerFuncs{
		AddFunc: named, UpdateFunc: func(_, o any) { named(o) }, DeleteFunc: named,
	})
}

// synced waits until all that the checkers ask for has synced; false if ctx ends before.
func synced(ctx context.Context, checkers ...cache.DoneChecker) bool {
	return cache.WaitFor(ctx, "", checkers...)
}

func handle(i cache.SharedIndexInformer, h cache.ResourceEventHandler) cache.ResourceEventHandlerRegistration {
	r, err := i.AddEventHandler(h)
	if err != nil {
		panic(err)
	}
	return r
}

// work works on what is in the queue until it is shut down, as a careful controller does.
func work(q queue, reconcile func(pod string) error) {
	for pod, stopped := q.Get(); !stopped; pod, stopped = q.Get() {
		if err := reconcile(pod); err != nil {
			q.AddRateLimited(pod)
		} else {
			q.Forget(pod)
		}
		q.Done(pod)
	}
}

// relabel changes the label "value" of each pod twice at a time, now and then.
func relabel(ctx context.Context, e Env) {
	for _, values := range [][]string{{"1", "2"}, {"3", "4"}} {
		for _, pod := range []string{"a", "b", "c"} {
			time.Sleep(time.Second)
			for _, value := range values {
				e.label(ctx, pod, "value", value)
			}
		}
	}
}

// addPods adds pods now and then, and changes each several times at once.
func addPods(ctx context.Context, e Env) {
	for _, pod := range []string{"d", "e", "f"} {
		time.Sleep(time.Second)
		e.pods().Create(ctx, newPod(pod), metav1.CreateOptions{})
		for i := range 6 {
			e.label(ctx, pod, "value", fmt.Sprint(i))
		}
	}
}

// labelsCopied wants each pod's label "value" in its annotation "seen".
func labelsCopied(c *fakes.Cluster) error {
	for _, p := range c.Pods() {
		if got, want := p.Annotations["seen"], p.Labels["value"]; got != want {
			return fmt.Errorf("pod %s has the label %q and the annotation %q", p.Name, want, got)
		}
	}
	return nil
}

// oneBackupPerPod wants no pod to have two backups.
func oneBackupPerPod(c *fakes.Cluster) error {
	of := map[string]string{}
	for _, s := range c.VolumeSnapshots() {
		pod := s.Labels[backupLabel]
		if pod != "" && of[pod] != "" {
			return fmt.Errorf("pod %s has the backups %s and %s", pod, of[pod], s.Name)
		}
		of[pod] = s.Name
	}
	return nil
}
