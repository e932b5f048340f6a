package monitor

import (
	"context"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/util/retry"
)

// outcome watches the pod's snapshot until it is ready, and returns the verdict.
func (m *Monitor) outcome(ctx context.Context, pod *corev1.Pod) (Verdict, error) {
	events, err := m.watchSnapshot(pod)
	if err != nil {
		return Verdict{}, err
	}
	defer events.Stop()
	for event := range events.ResultChan() {
		if snapshot, ok := event.Object.(*snapshotv1.VolumeSnapshot); ok && event.Type != watch.Deleted && isReady(snapshot) {
			return m.readContent(ctx, pod, *snapshot.Status.BoundVolumeSnapshotContentName)
		}
	}
	return Verdict{Snapshot: SnapshotName(pod)}, nil
}

// watchSnapshot opens a watch, again if that fails. No deadline ends it.
func (m *Monitor) watchSnapshot(pod *corev1.Pod) (events watch.Interface, err error) {
	only := metav1.ListOptions{FieldSelector: "metadata.name=" + SnapshotName(pod)}
	always := func(error) bool { return true }
	err = retry.OnError(conflictPauses, always, func() error {
		events, err = m.config.SnapshotClient.VolumeSnapshots(pod.Namespace).Watch(context.Background(), only)
		return err
	})
	return events, err
}
