package monitor

import (
	"context"
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
)

// How a pod asks to be backed up: it carries both.
const (
	// LabelWorkspace, with the value "true", marks a workspace pod.
	LabelWorkspace = "snapstorm.dev/workspace"
	// Finalizer holds a deleted pod until its outcome is recorded.
	Finalizer = "snapstorm.dev/backup"
)

// errPodGone means that this incarnation of the pod is no longer there.
var errPodGone = errors.New("the pod is gone")

// conflictPauses has no jitter: a pod has one finalization, so there is no herd
// to spread.
var conflictPauses = wait.Backoff{Steps: 5, Duration: 10 * time.Millisecond, Factor: 2}

// podKey is one incarnation of a pod. With the UID in it, a new pod does not
// queue behind the finalization of an old one of the same name.
type podKey struct {
	types.NamespacedName
	UID types.UID
}

func keyOf(pod *corev1.Pod) podKey {
	return podKey{types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}, pod.UID}
}

func awaitsUs(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp != nil &&
		pod.Labels[LabelWorkspace] == "true" &&
		slices.Contains(pod.Finalizers, Finalizer)
}

// containersRun reports whether some container may still write to the volume.
func containersRun(pod *corev1.Pod) bool {
	all := slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses)
	return slices.ContainsFunc(all, func(s corev1.ContainerStatus) bool {
		return s.State.Running != nil
	})
}

// claimOf is the claim of the pod's first persistent volume, or empty.
func claimOf(pod *corev1.Pod) string {
	for _, volume := range pod.Spec.Volumes {
		if volume.PersistentVolumeClaim != nil {
			return volume.PersistentVolumeClaim.ClaimName
		}
	}
	return ""
}

// livePod reads this incarnation of the pod from the API server, or returns
// errPodGone.
func (m *Monitor) livePod(ctx context.Context, key podKey) (*corev1.Pod, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	pod, err := m.config.PodClient.Pods(key.Namespace).Get(ctx, key.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) || (err == nil && pod.UID != key.UID) {
		return nil, errPodGone
	}
	return pod, err
}

// updatePod applies change to the live pod and writes it, again if somebody else
// wrote in between. If change returns false there is nothing to write.
func (m *Monitor) updatePod(ctx context.Context, key podKey, change func(*corev1.Pod) bool) error {
	return retry.RetryOnConflict(conflictPauses, func() error {
		pod, err := m.livePod(ctx, key)
		if err != nil || !change(pod) {
			return err
		}
		_, err = m.config.PodClient.Pods(key.Namespace).Update(ctx, pod, metav1.UpdateOptions{})
		if apierrors.IsNotFound(err) {
			return errPodGone
		}
		return err
	})
}
