package monitor

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// deleteClaim deletes the claim that was backed up.
func (m *Monitor) deleteClaim(ctx context.Context, pod *corev1.Pod) error {
	err := m.config.ClaimClient.PersistentVolumeClaims(pod.Namespace).Delete(ctx, claimOf(pod), metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
