package monitor

import (
	"context"
	"fmt"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// What the monitor writes on the snapshots that it creates.
const (
	// LabelPodUID holds the UID of the pod that the snapshot was made for.
	LabelPodUID = "snapstorm.dev/pod-uid"
	// AnnotationPod holds that pod's name, for people.
	AnnotationPod = "snapstorm.dev/pod"
)

func nameOf(snapshot *snapshotv1.VolumeSnapshot) types.NamespacedName {
	return types.NamespacedName{Namespace: snapshot.Namespace, Name: snapshot.Name}
}

func madeFor(snapshot *snapshotv1.VolumeSnapshot, pod types.UID) bool {
	return snapshot.Labels[LabelPodUID] == string(pod)
}

// ensureSnapshot returns the pod's snapshot, and creates it if there is none.
// The name makes this safe to repeat. It refuses a pod without a volume and a
// name that somebody else has taken.
func (m *Monitor) ensureSnapshot(ctx context.Context, pod *corev1.Pod) (*snapshotv1.VolumeSnapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	snapshots := m.config.SnapshotClient.VolumeSnapshots(pod.Namespace)
	snapshot, err := snapshots.Get(ctx, SnapshotName(pod), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		snapshot, err = m.createSnapshot(ctx, pod)
	}
	if apierrors.IsAlreadyExists(err) {
		// Made between our two calls, so look at whose it is.
		snapshot, err = snapshots.Get(ctx, SnapshotName(pod), metav1.GetOptions{})
	}
	if err != nil {
		return nil, err
	}
	if !madeFor(snapshot, pod.UID) {
		return nil, refusal(fmt.Sprintf("the name %s is taken by a snapshot that was not made for this pod", snapshot.Name))
	}
	return snapshot, nil
}

func (m *Monitor) createSnapshot(ctx context.Context, pod *corev1.Pod) (*snapshotv1.VolumeSnapshot, error) {
	name := claimOf(pod)
	if name == "" {
		return nil, refusal("the pod has no persistent volume claim")
	}
	claim, err := m.config.ClaimClient.PersistentVolumeClaims(pod.Namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, refusal(fmt.Sprintf("claim %s was gone before it was backed up", name))
	}
	if err != nil {
		return nil, err
	}
	snapshot := newSnapshot(pod, claim, m.config.SnapshotClass)
	created, err := m.config.SnapshotClient.VolumeSnapshots(pod.Namespace).Create(ctx, snapshot, metav1.CreateOptions{})
	if err == nil {
		m.log.InfoContext(ctx, "snapshot created", "pod", keyOf(pod), "snapshot", created.Name, "claim", name)
	}
	return created, err
}

// newSnapshot has no owner reference on purpose: the backup outlives the pod.
func newSnapshot(pod *corev1.Pod, claim *corev1.PersistentVolumeClaim, class string) *snapshotv1.VolumeSnapshot {
	snapshot := &snapshotv1.VolumeSnapshot{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: pod.Namespace,
			Name:      SnapshotName(pod),
			Labels:    map[string]string{LabelPodUID: string(pod.UID)},
			Annotations: map[string]string{
				AnnotationPod:      pod.Name,
				AnnotationClaimUID: string(claim.UID),
			},
		},
		Spec: snapshotv1.VolumeSnapshotSpec{
			Source: snapshotv1.VolumeSnapshotSource{PersistentVolumeClaimName: &claim.Name},
		},
	}
	if class != "" {
		snapshot.Spec.VolumeSnapshotClassName = &class
	}
	return snapshot
}
