package monitor

import (
	"context"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
)

// handleEvent is what a pool worker does with a modified object.
func (m *Monitor) handleEvent(ctx context.Context, obj any) {
	switch obj := obj.(type) {
	case *corev1.Pod:
		m.handlePod(ctx, obj)
	case *snapshotv1.VolumeSnapshot:
		m.handleSnapshot(ctx, obj)
	}
}

// handlePod starts the finalization of a pod that is being deleted.
func (m *Monitor) handlePod(ctx context.Context, pod *corev1.Pod) {
	if !awaitsUs(pod) || containersRun(pod) || !m.start(keyOf(pod)) {
		return
	}
	m.finalizing.Go(func() {
		if err := m.finalize(ctx, pod); err != nil {
			m.log.ErrorContext(ctx, "finalization failed", "pod", keyOf(pod), "error", err)
		}
	})
}

// start reports whether this is the first finalization of the pod.
func (m *Monitor) start(key podKey) bool {
	m.startedMu.Lock()
	defer m.startedMu.Unlock()
	if m.started[key] {
		return false
	}
	m.started[key] = true
	return true
}

// handleSnapshot hands a ready snapshot over to the pod that it belongs to.
func (m *Monitor) handleSnapshot(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot) {
	claim := snapshot.Spec.Source.PersistentVolumeClaimName
	if claim == nil {
		m.log.WarnContext(ctx, "snapshot without a claim", "snapshot", nameOf(snapshot))
		return
	}
	if !isReady(snapshot) {
		return
	}
	// The claim has the name of its pod.
	m.handover.notify(*claim, *snapshot.Status.BoundVolumeSnapshotContentName)
}
