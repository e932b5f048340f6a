package conformance

import (
	"context"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	snapshotclient "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

type object interface {
	runtime.Object
	metav1.Object
}

// api is what the typed clients of all resources have in common.
type api[T object, L runtime.Object] interface {
	Create(context.Context, T, metav1.CreateOptions) (T, error)
	Update(context.Context, T, metav1.UpdateOptions) (T, error)
	UpdateStatus(context.Context, T, metav1.UpdateOptions) (T, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
	DeleteCollection(context.Context, metav1.DeleteOptions, metav1.ListOptions) error
	Get(context.Context, string, metav1.GetOptions) (T, error)
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
	Patch(context.Context, string, types.PatchType, []byte, metav1.PatchOptions, ...string) (T, error)
}

// erased is a typed client whose types cannot be seen any longer, so that one
// script serves both resources.
type erased[T object, L runtime.Object] struct{ api[T, L] }

func (e erased[T, L]) Create(ctx context.Context, o object, opts metav1.CreateOptions) (object, error) {
	return e.api.Create(ctx, o.(T), opts)
}

func (e erased[T, L]) Update(ctx context.Context, o object, opts metav1.UpdateOptions) (object, error) {
	return e.api.Update(ctx, o.(T), opts)
}

func (e erased[T, L]) UpdateStatus(ctx context.Context, o object, opts metav1.UpdateOptions) (object, error) {
	return e.api.UpdateStatus(ctx, o.(T), opts)
}

func (e erased[T, L]) Get(ctx context.Context, name string, opts metav1.GetOptions) (object, error) {
	return e.api.Get(ctx, name, opts)
}

func (e erased[T, L]) List(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
	return e.api.List(ctx, opts)
}

func (e erased[T, L]) Patch(ctx context.Context, name string, how types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (object, error) {
	return e.api.Patch(ctx, name, how, data, opts, subresources...)
}

// The resources that scripts use.
const (
	snapshots = "snapshots"
	contents  = "contents"
)

// place is where an object is, or with no name where objects are.
type place struct{ Resource, Namespace, Name string }

// at returns the client for a place.
func at(client snapshotclient.Interface, p place) api[object, runtime.Object] {
	if p.Resource == contents {
		return erased[*snapshotv1.VolumeSnapshotContent, *snapshotv1.VolumeSnapshotContentList]{client.SnapshotV1().VolumeSnapshotContents()}
	}
	return erased[*snapshotv1.VolumeSnapshot, *snapshotv1.VolumeSnapshotList]{client.SnapshotV1().VolumeSnapshots(p.Namespace)}
}

// fresh returns an object that the definition's schema accepts.
func fresh(p place) object {
	meta := metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name}
	if p.Resource == contents {
		return &snapshotv1.VolumeSnapshotContent{ObjectMeta: meta, Spec: snapshotv1.VolumeSnapshotContentSpec{
			DeletionPolicy:    snapshotv1.VolumeSnapshotContentDelete,
			Driver:            "driver.example.com",
			Source:            snapshotv1.VolumeSnapshotContentSource{VolumeHandle: new("volume")},
			VolumeSnapshotRef: corev1.ObjectReference{Namespace: "x", Name: "a"},
		}}
	}
	return &snapshotv1.VolumeSnapshot{ObjectMeta: meta, Spec: snapshotv1.VolumeSnapshotSpec{
		Source: snapshotv1.VolumeSnapshotSource{PersistentVolumeClaimName: new("claim")},
	}}
}
