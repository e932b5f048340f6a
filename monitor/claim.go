package monitor

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// discardClaim deletes the claim that the verdict says is backed up, and leaves
// it alone after a failure. It returns why it kept a claim in spite of a
// recorded backup, or an error if it must be tried again.
func (m *Monitor) discardClaim(ctx context.Context, pod *corev1.Pod, verdict Verdict) (kept string, err error) {
	if !verdict.Saved() {
		return "", nil
	}
	claim, err := m.backedUpClaim(ctx, pod, verdict)
	if claim == nil || err != nil {
		return "", err
	}
	kept, err = m.doubt(ctx, pod, verdict)
	if kept != "" || err != nil {
		return kept, err
	}
	return "", m.deleteClaim(ctx, pod, claim)
}

// backedUpClaim reads the claim, or returns nil if there is nothing to delete:
// it is gone, going, or another incarnation than the one that was backed up.
func (m *Monitor) backedUpClaim(ctx context.Context, pod *corev1.Pod, verdict Verdict) (*corev1.PersistentVolumeClaim, error) {
	name := claimOf(pod)
	if name == "" {
		return nil, nil
	}
	claim, err := m.config.ClaimClient.PersistentVolumeClaims(pod.Namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if claim.UID != verdict.ClaimUID {
		m.log.WarnContext(ctx, "claim kept: it is not the one that was backed up", "pod", keyOf(pod), "claim", name)
		return nil, nil
	}
	if claim.DeletionTimestamp != nil {
		return nil, nil
	}
	return claim, nil
}

// doubt looks once more whether the recorded backup is there, and says what is
// wrong if it is not. The record may be of an earlier run, and the snapshot
// deleted since.
func (m *Monitor) doubt(ctx context.Context, pod *corev1.Pod, recorded Verdict) (string, error) {
	now, err := m.lookNow(ctx, pod)
	switch {
	case err != nil:
		return "", err
	case now.Failure != "":
		return now.Failure, nil
	case now != recorded:
		return "the snapshot is not the recorded one", nil
	}
	return "", nil
}

// deleteClaim deletes only this incarnation: the precondition holds even if the
// claim is replaced between our two calls.
func (m *Monitor) deleteClaim(ctx context.Context, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) error {
	err := m.config.ClaimClient.PersistentVolumeClaims(pod.Namespace).Delete(ctx, claim.Name, metav1.DeleteOptions{
		Preconditions: metav1.NewUIDPreconditions(string(claim.UID)),
	})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err == nil {
		m.log.InfoContext(ctx, "claim deleted", "pod", keyOf(pod), "claim", claim.Name)
	}
	return err
}
