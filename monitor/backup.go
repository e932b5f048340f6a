package monitor

import (
	"context"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// deadline is when the pod must be let go. It is a fact of the cluster, not of
// this process, so a restart does not move it.
func (m *Monitor) deadline(pod *corev1.Pod) time.Time {
	return pod.DeletionTimestamp.Add(m.config.Deadline)
}

func (m *Monitor) expired(pod *corev1.Pod) bool {
	return !time.Now().Before(m.deadline(pod))
}

// backup returns the verdict on the pod's volume. Until the deadline it makes
// the snapshot and waits for it; after the deadline it only looks. An error
// means that there is no verdict yet.
func (m *Monitor) backup(ctx context.Context, pod *corev1.Pod) (Verdict, error) {
	if m.expired(pod) {
		return m.lookNow(ctx, pod)
	}
	waitCtx, cancel := context.WithDeadline(ctx, m.deadline(pod))
	defer cancel()
	verdict, err := m.snapshotAndWait(waitCtx, pod)
	if err != nil && waitCtx.Err() != nil {
		return m.lookNow(ctx, pod)
	}
	return m.settle(pod, verdict, err)
}

func (m *Monitor) snapshotAndWait(ctx context.Context, pod *corev1.Pod) (Verdict, error) {
	snapshot, err := m.ensureSnapshot(ctx, pod)
	if err != nil {
		return Verdict{}, err
	}
	return m.handover.wait(ctx, nameOf(snapshot), snapshot.UID, func(ctx context.Context) (Verdict, error) {
		return m.look(ctx, pod, snapshot.UID)
	})
}

// lookNow looks without waiting. It is given a context that outlives the
// deadline, or the last look would fail for the very reason that it is the last.
func (m *Monitor) lookNow(ctx context.Context, pod *corev1.Pod) (Verdict, error) {
	verdict, err := m.look(ctx, pod, anyIncarnation)
	return m.settle(pod, verdict, err)
}

// settle turns the errors that are final into failures. A refusal is final at
// once. A backup that is not finished becomes a failure when its time is up.
// Any other error says only that we could not see, which decides nothing.
func (m *Monitor) settle(pod *corev1.Pod, verdict Verdict, err error) (Verdict, error) {
	if isRefusal(err) || (isUnfinished(err) && m.expired(pod)) {
		return Verdict{Snapshot: SnapshotName(pod), Failure: err.Error()}, nil
	}
	return verdict, err
}

// look reads the pod's snapshot and its content from the API server and judges
// them.
func (m *Monitor) look(ctx context.Context, pod *corev1.Pod, uid types.UID) (Verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	snapshot, err := m.config.SnapshotClient.VolumeSnapshots(pod.Namespace).Get(ctx, SnapshotName(pod), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return Verdict{}, refusal("there is no snapshot " + SnapshotName(pod))
	}
	if err == nil {
		err = judge(snapshot, pod.UID, uid)
	}
	if err != nil {
		return Verdict{}, err
	}
	handle, err := m.readHandle(ctx, snapshot)
	return Verdict{
		Snapshot: snapshot.Name,
		Handle:   handle,
		ClaimUID: types.UID(snapshot.Annotations[AnnotationClaimUID]),
	}, err
}

func (m *Monitor) readHandle(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot) (string, error) {
	name := *snapshot.Status.BoundVolumeSnapshotContentName
	content, err := m.config.ContentClient.VolumeSnapshotContents().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return "", errNoHandle
	}
	if err != nil {
		return "", err
	}
	return handleOf(content, snapshot)
}
