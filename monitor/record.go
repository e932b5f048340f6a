package monitor

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// What the monitor writes on a pod: its verdict, in one write, and the last one
// perhaps later.
const (
	// AnnotationSnapshot holds the name of the pod's VolumeSnapshot.
	AnnotationSnapshot = "snapstorm.dev/snapshot"
	// AnnotationHandle holds the storage system's handle of the snapshot.
	AnnotationHandle = "snapstorm.dev/snapshot-handle"
	// AnnotationClaimUID holds the UID of the claim that was backed up. It is
	// also on the snapshot, where it is known first.
	AnnotationClaimUID = "snapstorm.dev/claim-uid"
	// AnnotationFailure says why there is no backup. It excludes a handle.
	AnnotationFailure = "snapstorm.dev/backup-failure"
	// AnnotationVolumeKept says why the claim was kept although a backup is
	// recorded: the backup was no longer there when the claim was to go.
	AnnotationVolumeKept = "snapstorm.dev/volume-kept"
)

// Recorded returns the verdict that is written on the pod, if there is one.
func Recorded(pod *corev1.Pod) (Verdict, bool) {
	verdict := Verdict{
		Snapshot: pod.Annotations[AnnotationSnapshot],
		Handle:   pod.Annotations[AnnotationHandle],
		ClaimUID: types.UID(pod.Annotations[AnnotationClaimUID]),
		Failure:  pod.Annotations[AnnotationFailure],
	}
	return verdict, verdict.Failure != "" || verdict.Handle != ""
}

func (v Verdict) writeOn(pod *corev1.Pod) {
	annotate(pod, AnnotationSnapshot, v.Snapshot)
	annotate(pod, AnnotationHandle, v.Handle)
	annotate(pod, AnnotationClaimUID, string(v.ClaimUID))
	annotate(pod, AnnotationFailure, v.Failure)
}

func annotate(pod *corev1.Pod, key, value string) {
	if value != "" {
		metav1.SetMetaDataAnnotation(&pod.ObjectMeta, key, value)
	}
}

// record writes the verdict on the pod and returns the one that stands: an
// earlier one is never overwritten, for somebody may have acted on it.
func (m *Monitor) record(ctx context.Context, key podKey, verdict Verdict) (Verdict, error) {
	stands := verdict
	err := m.updatePod(ctx, key, func(pod *corev1.Pod) bool {
		earlier, found := Recorded(pod)
		if found {
			stands = earlier
			return false
		}
		verdict.writeOn(pod)
		return true
	})
	if err == nil {
		m.log.InfoContext(ctx, "verdict recorded", "pod", key, "snapshot", stands.Snapshot, "handle", stands.Handle, "failure", stands.Failure)
	}
	return stands, err
}

// release drops the finalizer, and notes before why the claim was kept if kept
// is set. The note has a write of its own: a pod that nothing else holds goes
// with its last finalizer, and nobody sees what else that write says.
func (m *Monitor) release(ctx context.Context, key podKey, kept string) error {
	if kept != "" {
		if err := m.note(ctx, key, kept); err != nil {
			return err
		}
	}
	err := m.updatePod(ctx, key, func(pod *corev1.Pod) bool {
		if !slices.Contains(pod.Finalizers, Finalizer) {
			return false
		}
		pod.Finalizers = slices.DeleteFunc(pod.Finalizers, func(f string) bool { return f == Finalizer })
		return true
	})
	if err == nil {
		m.log.InfoContext(ctx, "pod released", "pod", key)
	}
	return err
}

// note writes on the pod why the claim was kept.
func (m *Monitor) note(ctx context.Context, key podKey, kept string) error {
	return m.updatePod(ctx, key, func(pod *corev1.Pod) bool {
		if pod.Annotations[AnnotationVolumeKept] != "" {
			return false
		}
		annotate(pod, AnnotationVolumeKept, kept)
		return true
	})
}
