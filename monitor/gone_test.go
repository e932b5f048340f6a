package monitor_test

import (
	"context"
	"testing"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/monitor"
	"github.com/snapstorm/snapstorm/sim"
)

// TestGone takes snapshots away that somebody waits for, while the informers lose sight of the cluster: a snapshot that is gone
// is a tombstone then, or has become another one of its name.
func TestGone(t *testing.T) {
	objects := manifests("../testdata/clusters/several.json")
	sim.CheckWith(t, sim.Options{Schedules: 50, Horizon: horizon}, func(w *sim.World) {
		options := fakes.Options{
			Faults:         fakes.Faults{Relists: 5, InformerLags: 3, Rare: *rare},
			SnapshotDelays: []time.Duration{20 * time.Minute},
		}
		thief := fakes.User{Deeds: 8, Pauses: []time.Duration{time.Second, time.Minute}, May: mayTake}
		scene{objects, options, thief, sim.Program{}}.play(w, func(ctx context.Context, cluster *fakes.Cluster) {
			run(ctx, w, cluster, deadline)
		})
	})
}

// mayTake lets a user stop pods, and take backups that are not finished.
func mayTake(d fakes.Deed, o metav1.Object) bool {
	_, isSnapshot := o.(*snapshotv1.VolumeSnapshot)
	if isSnapshot && o.GetLabels()[monitor.LabelPodUID] != "" {
		return d != fakes.Relabel && may(d, o)
	}
	return mayStop(d, o)
}
