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
	backups := readyBackups(cluster)
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
			if !there[claim] && !backups[claim] {
				return fmt.Errorf("claim %s of pod %s is gone, and no ready snapshot of it has a handle", claim, pod.Name)
			}
		}
	}
	return nil
}

// readyBackups lists the claims that have a ready snapshot whose content has a handle.
func readyBackups(cluster *fakes.Cluster) map[string]bool {
	handles := map[string]bool{}
	for _, c := range cluster.VolumeSnapshotContents() {
		handles[c.Name] = c.Status != nil && c.Status.SnapshotHandle != nil && *c.Status.SnapshotHandle != ""
	}
	backups := map[string]bool{}
	for _, s := range cluster.VolumeSnapshots() {
		if s.Spec.Source.PersistentVolumeClaimName == nil || s.Status == nil || s.Status.ReadyToUse == nil || s.Status.BoundVolumeSnapshotContentName == nil {
			continue
		}
		if *s.Status.ReadyToUse && handles[*s.Status.BoundVolumeSnapshotContentName] {
			backups[s.Namespace+"/"+*s.Spec.Source.PersistentVolumeClaimName] = true
		}
	}
	return backups
}
