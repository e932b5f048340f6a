package monitor

import corev1 "k8s.io/api/core/v1"

// SnapshotName is the name of the pod's snapshot: the pod's own name, which a
// later pod may have again.
func SnapshotName(pod *corev1.Pod) string { return pod.Name }
