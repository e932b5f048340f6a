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
	waitCtx, cancel := context.WithTimeout(ctx, m.config.Deadline)
	defer cancel()
	content, err := m.await(waitCtx, pod.Name)
	if err != nil && ctx.Err() == nil {
		content, err = m.lookOnce(ctx, pod)
	}
	if err != nil {
		return Verdict{}, err
	}
	if content == "" {
		return Verdict{Snapshot: SnapshotName(pod), Failure: errNotReady.Error()}, nil
	}
	return m.readContent(ctx, pod, content)
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

// lookOnce returns the name of the content if the snapshot is ready by now.
func (m *Monitor) lookOnce(ctx context.Context, pod *corev1.Pod) (string, error) {
	snapshot, err := m.config.SnapshotClient.VolumeSnapshots(pod.Namespace).Get(ctx, SnapshotName(pod), metav1.GetOptions{})
	if err != nil || !isReady(snapshot) {
		return "", err
	}
	return *snapshot.Status.BoundVolumeSnapshotContentName, nil
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
