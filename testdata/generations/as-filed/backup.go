package monitor

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// backup makes a snapshot of the pod's volume, waits until it is ready, and
// returns the verdict.
func (m *Monitor) backup(ctx context.Context, pod *corev1.Pod) (Verdict, error) {
	if err := m.makeSnapshot(ctx, pod); err != nil {
		return Verdict{}, err
	}
	return m.outcome(ctx, pod)
}

func (m *Monitor) makeSnapshot(ctx context.Context, pod *corev1.Pod) error {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: claimOf(pod)}}
	snapshot := newSnapshot(pod, claim, m.config.SnapshotClass)
	_, err := m.config.SnapshotClient.VolumeSnapshots(pod.Namespace).Create(ctx, snapshot, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func (m *Monitor) readContent(ctx context.Context, pod *corev1.Pod, name string) (Verdict, error) {
	content, err := m.config.ContentClient.VolumeSnapshotContents().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return Verdict{}, err
	}
	if content.Status == nil || content.Status.SnapshotHandle == nil {
		return Verdict{}, errNoHandle
	}
	return Verdict{Snapshot: SnapshotName(pod), Handle: *content.Status.SnapshotHandle}, nil
}
