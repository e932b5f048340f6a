package monitor

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// stepTimeout bounds a group of calls that wait for nothing but the API server.
// It is what ends a call to a server that never answers.
const stepTimeout = 30 * time.Second

// finalize takes one pod as far as it can. It is idempotent: it trusts live
// reads only, so neither a stale cache nor an earlier run that stopped half-way
// can mislead it. An error means that it must be called again.
func (m *Monitor) finalize(ctx context.Context, key podKey) error {
	pod, err := m.livePod(ctx, key)
	if errors.Is(err, errPodGone) || (err == nil && !awaitsUs(pod)) {
		return nil
	}
	if err != nil {
		return err
	}
	if containersRun(pod) && !m.expired(pod) {
		// The next update of the pod brings us back, or else its deadline.
		m.returnAtDeadline(pod)
		return nil
	}
	verdict, found := Recorded(pod)
	if !found {
		if verdict, err = m.backup(ctx, pod); err != nil {
			m.returnAtDeadline(pod)
			return err
		}
	}
	return m.conclude(ctx, pod, verdict)
}

// returnAtDeadline queues the pod for its deadline. If it is also queued for a
// retry, the queue keeps the earlier of the two.
func (m *Monitor) returnAtDeadline(pod *corev1.Pod) {
	if !m.expired(pod) {
		m.queue.AddAfter(keyOf(pod), time.Until(m.deadline(pod)))
	}
}

// conclude writes down the verdict and lets the pod go. Its context is a fresh
// one: the one that bounded the wait may have expired. The order matters: the
// claim goes only when the record is durable, the finalizer only when the claim
// is dealt with.
func (m *Monitor) conclude(ctx context.Context, pod *corev1.Pod, verdict Verdict) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	verdict, err := m.record(ctx, keyOf(pod), verdict)
	var kept string
	if err == nil {
		kept, err = m.discardClaim(ctx, pod, verdict)
	}
	if err == nil {
		err = m.release(ctx, keyOf(pod), kept)
	}
	if errors.Is(err, errPodGone) {
		m.log.WarnContext(ctx, "pod vanished during its finalization", "pod", keyOf(pod))
		return nil
	}
	return err
}
