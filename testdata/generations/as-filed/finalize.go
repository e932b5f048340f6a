package monitor

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// stepTimeout bounds a group of calls that wait for nothing but the API server.
const stepTimeout = 30 * time.Second

// finalize backs up the pod's volume, records the verdict on the pod, deletes
// the claim and lets the pod go.
func (m *Monitor) finalize(ctx context.Context, pod *corev1.Pod) error {
	verdict, found := Recorded(pod)
	var err error
	if !found {
		verdict, err = m.backup(ctx, pod)
	}
	if err == nil {
		verdict, err = m.record(ctx, keyOf(pod), verdict)
	}
	if err == nil && verdict.Failure == "" {
		err = m.deleteClaim(ctx, pod)
	}
	if err != nil {
		return err
	}
	return m.release(ctx, keyOf(pod), "")
}
