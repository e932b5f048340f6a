package fakes

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/snapstorm/snapstorm/sim"
)

// claimProtection keeps a claim while a pod uses it.
const claimProtection = "kubernetes.io/pvc-protection"

// Kubelet stops the containers of deleted pods: they end, the pod's phase says
// so, and the pod goes as soon as its finalizers let it. Besides it lets go of
// deleted claims that no pod uses, which in a real cluster is a controller's
// work. It returns when ctx ends.
func (c *Cluster) Kubelet(ctx context.Context) {
	k := &kubelet{cluster: c, client: c.clients(nil).Kubernetes.CoreV1()}
	stopper := &actor{name: "kubelet", cluster: c, table: c.tables[pods], needs: mustStop, care: k.stop}
	keeper := &actor{name: "claim protection", cluster: c, table: c.tables[claims], needs: k.claimIsFree, care: k.releaseClaim}
	var ended sim.Gate
	sim.Go("claim protection", func() {
		defer ended.Open()
		keeper.run(ctx)
	})
	sim.Go("claim protection of pods", func() {
		defer ended.Open()
		keeper.follow(ctx, c.tables[pods], func(o object) []string { return usedClaims(o.(*corev1.Pod)) })
	})
	stopper.run(ctx)
	ended.Wait("claim protection", 1, nil)
}

type kubelet struct {
	cluster *Cluster
	client  corev1client.CoreV1Interface
}

// mustStop tells whether a pod is being deleted and has not stopped yet.
func mustStop(o object) bool {
	grace := o.GetDeletionGracePeriodSeconds()
	return o.GetDeletionTimestamp() != nil && (!ended(o.(*corev1.Pod)) || grace != nil && *grace > 0)
}

func ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// stop does the next thing that is to be done for a deleted pod. A conflict is
// no matter: the next round sees the new state.
func (k *kubelet) stop(ctx context.Context, o object) {
	pod := o.(*corev1.Pod)
	api := k.client.Pods(pod.Namespace)
	if !ended(pod) {
		k.cluster.pause("pod "+pod.Namespace+"/"+pod.Name+" stops", k.cluster.options.StopDelays)
		stopped := pod.DeepCopy()
		terminate(stopped)
		stopped.ResourceVersion = "" // the status is the kubelet's alone
		_, _ = api.UpdateStatus(ctx, stopped, metav1.UpdateOptions{})
		return
	}
	_ = api.Delete(ctx, pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: new(int64(0)),
		Preconditions:      &metav1.Preconditions{UID: &pod.UID},
	})
}

// terminate is the status of a pod whose containers were told to end and did.
func terminate(pod *corev1.Pod) {
	pod.Status.Phase = corev1.PodSucceeded
	for i := range pod.Status.ContainerStatuses {
		s := &pod.Status.ContainerStatuses[i]
		s.Ready = false
		s.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", FinishedAt: now()}}
	}
}

func (k *kubelet) claimIsFree(o object) bool {
	if o.GetDeletionTimestamp() == nil || !slices.Contains(o.GetFinalizers(), claimProtection) {
		return false
	}
	for _, pod := range k.cluster.Pods() {
		if pod.Namespace == o.GetNamespace() && !ended(pod) && slices.Contains(usedClaims(pod), pod.Namespace+"/"+o.GetName()) {
			return false
		}
	}
	return true
}

func (k *kubelet) releaseClaim(ctx context.Context, o object) {
	free := o.DeepCopyObject().(*corev1.PersistentVolumeClaim)
	free.Finalizers = without(free.Finalizers, claimProtection)
	_, _ = k.client.PersistentVolumeClaims(free.Namespace).Update(ctx, free, metav1.UpdateOptions{})
}

// usedClaims returns the keys of the claims that a pod mounts.
func usedClaims(pod *corev1.Pod) []string {
	var keys []string
	for _, v := range pod.Spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			keys = append(keys, pod.Namespace+"/"+v.PersistentVolumeClaim.ClaimName)
		}
	}
	return keys
}
