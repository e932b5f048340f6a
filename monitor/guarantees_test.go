package monitor_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/monitor"
	"github.com/snapstorm/snapstorm/sim"
)

// guarantees adds the properties that every scenario checks.
func guarantees(w *sim.World, cluster *fakes.Cluster, objects []runtime.Object) {
	w.Settled("Finalized: every stopping pod is let go", func() error {
		for _, pod := range cluster.Pods() {
			if pod.DeletionTimestamp != nil {
				return fmt.Errorf("pod %s/%s is still there, with finalizers %v", pod.Namespace, pod.Name, pod.Finalizers)
			}
		}
		return nil
	})
	w.Settled("NoDataLoss: a claim is deleted only when a ready snapshot of it has a handle", func() error {
		return noDataLoss(cluster, objects)
	})
}

// noDataLoss looks for a backup of each claim that was there at the start and is gone.
func noDataLoss(cluster *fakes.Cluster, objects []runtime.Object) error {
	there := map[string]bool{}
	for _, claim := range cluster.PersistentVolumeClaims() {
		there[claim.Namespace+"/"+claim.Name] = true
	}
	for _, o := range objects {
		pod, ok := o.(*corev1.Pod)
		if !ok || pod.Labels[monitor.LabelWorkspace] != "true" {
			continue
		}
		for _, v := range pod.Spec.Volumes {
			if v.PersistentVolumeClaim == nil {
				continue
			}
			claim := pod.Namespace + "/" + v.PersistentVolumeClaim.ClaimName
			if !there[claim] && !backedUp(cluster, pod, v.PersistentVolumeClaim.ClaimName) {
				return fmt.Errorf("claim %s of pod %s is gone, and no ready snapshot of it has a handle", claim, pod.Name)
			}
		}
	}
	return nil
}

// backedUp says whether a claim has a ready snapshot with a handle that is no older than the pod: names are used again, and
// the backup of an earlier workspace is none of this one.
func backedUp(cluster *fakes.Cluster, pod *corev1.Pod, claim string) bool {
	handles := map[string]bool{}
	for _, c := range cluster.VolumeSnapshotContents() {
		handles[c.Name] = c.Status != nil && c.Status.SnapshotHandle != nil && *c.Status.SnapshotHandle != ""
	}
	for _, s := range cluster.VolumeSnapshots() {
		source, status := s.Spec.Source.PersistentVolumeClaimName, s.Status
		if s.Namespace != pod.Namespace || source == nil || *source != claim || s.CreationTimestamp.Before(&pod.CreationTimestamp) {
			continue
		}
		ready := status != nil && status.ReadyToUse != nil && *status.ReadyToUse
		if ready && status.BoundVolumeSnapshotContentName != nil && handles[*status.BoundVolumeSnapshotContentName] {
			return true
		}
	}
	return false
}
