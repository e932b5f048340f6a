package monitor

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// outcome waits until the pod's snapshot is ready or the deadline has passed,
// and returns the verdict.
func (m *Monitor) outcome(ctx context.Context, pod *corev1.Pod) (Verdict, error) {
	waitCtx, cancel := context.WithTimeout(ctx, m.config.Deadline)
	defer cancel()
	content, err := m.handover.await(waitCtx, pod.Name)
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

// lookOnce returns the name of the content if the snapshot is ready by now.
func (m *Monitor) lookOnce(ctx context.Context, pod *corev1.Pod) (string, error) {
	snapshot, err := m.config.SnapshotClient.VolumeSnapshots(pod.Namespace).Get(ctx, SnapshotName(pod), metav1.GetOptions{})
	if err != nil || !isReady(snapshot) {
		return "", err
	}
	return *snapshot.Status.BoundVolumeSnapshotContentName, nil
}
