package monitor

import corev1 "k8s.io/api/core/v1"

// SnapshotName is the name of the pod's snapshot. It comes from the pod's UID,
// not from its name: pod names are used again, and an old backup must never
// pass for that of a new pod.
func SnapshotName(pod *corev1.Pod) string { return "backup-" + string(pod.UID) }
