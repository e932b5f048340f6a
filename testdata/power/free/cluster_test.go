package free

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	snapshotfake "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/fake"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	kubernetesfake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/snapstorm/snapstorm/monitor"
)

const namespace = "workspaces"

// cluster is two of client-go's fake clientsets.
type cluster struct {
	kubernetes *kubernetesfake.Clientset
	snapshots  *snapshotfake.Clientset
}

func newCluster() *cluster {
	var core, backups []runtime.Object
	for i := range stopping {
		name := fmt.Sprintf("ws-%d", i)
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID("claim-of-" + name)}}
		core = append(core, claim, stopped(name))
	}
	for i := range finished {
		// The names of pods come back, so some of these are of earlier pods with the name of one that stops.
		pod := fmt.Sprintf("ws-%d", i%(2*stopping))
		s := &snapshotv1.VolumeSnapshot{ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: fmt.Sprintf("backup-%d", i), UID: types.UID(fmt.Sprintf("snapshot-%d", i)),
			Labels:      map[string]string{monitor.LabelPodUID: fmt.Sprintf("gone-%d", i)},
			Annotations: map[string]string{monitor.AnnotationPod: pod},
		}}
		content := contentOf(s)
		makeReady(s, content.Name)
		backups = append(backups, s, content)
	}
	c := &cluster{kubernetesfake.NewSimpleClientset(core...), snapshotfake.NewSimpleClientset(backups...)}
	c.snapshots.PrependReactor("create", "volumesnapshots", func(a clienttesting.Action) (bool, runtime.Object, error) {
		s := a.(clienttesting.CreateAction).GetObject().(*snapshotv1.VolumeSnapshot)
		s.UID = types.UID("snapshot-" + s.Name)
		return false, nil, nil
	})
	return c
}

// stopped is a workspace pod that was deleted and whose containers have stopped.
func stopped(name string) *corev1.Pod {
	now := metav1.Now()
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, UID: types.UID("pod-" + name), DeletionTimestamp: &now,
			Labels: map[string]string{monitor.LabelWorkspace: "true"}, Finalizers: []string{monitor.Finalizer},
		},
		Spec: corev1.PodSpec{Volumes: []corev1.Volume{{Name: "workspace", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name},
		}}}},
		Status: corev1.PodStatus{Phase: corev1.PodSucceeded},
	}
}

func contentOf(s *snapshotv1.VolumeSnapshot) *snapshotv1.VolumeSnapshotContent {
	handle := "handle-" + s.Name
	c := &snapshotv1.VolumeSnapshotContent{ObjectMeta: metav1.ObjectMeta{Name: "content-" + s.Name}}
	c.Spec.VolumeSnapshotRef = corev1.ObjectReference{Namespace: s.Namespace, Name: s.Name, UID: s.UID}
	c.Status = &snapshotv1.VolumeSnapshotContentStatus{SnapshotHandle: &handle}
	return c
}

func makeReady(s *snapshotv1.VolumeSnapshot, content string) {
	ready := true
	s.Status = &snapshotv1.VolumeSnapshotStatus{ReadyToUse: &ready, BoundVolumeSnapshotContentName: &content}
}

// snapshotController makes snapshots ready, each after a moment, until ctx ends.
func (c *cluster) snapshotController(ctx context.Context) {
	api := c.snapshots.SnapshotV1()
	for ctx.Err() == nil {
		list, err := api.VolumeSnapshots(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			panic(err)
		}
		for i := range list.Items {
			if s := &list.Items[i]; s.Status == nil {
				content := contentOf(s)
				makeReady(s, content.Name)
				_, _ = api.VolumeSnapshotContents().Create(ctx, content, metav1.CreateOptions{})
				_, _ = api.VolumeSnapshots(namespace).UpdateStatus(ctx, s, metav1.UpdateOptions{})
			}
		}
		time.Sleep(rand.N(2 * time.Millisecond))
	}
}

// listsOnly says of the snapshots' clientset, which is older than client-go, that its watches do not send the initial list.
type listsOnly struct{}

func (listsOnly) IsWatchListSemanticsUnSupported() bool { return true }

func (c *cluster) snapshotInformer() cache.SharedIndexInformer {
	api := c.snapshots.SnapshotV1().VolumeSnapshots(metav1.NamespaceAll)
	source := cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc:  func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return api.List(ctx, o) },
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) { return api.Watch(ctx, o) },
	}, listsOnly{})
	return cache.NewSharedIndexInformer(source, &snapshotv1.VolumeSnapshot{}, 0, cache.Indexers{})
}
