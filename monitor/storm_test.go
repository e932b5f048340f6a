package monitor_test

import (
	"flag"
	"slices"
	"testing"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/snapstorm/snapstorm/sim"
)

var clusterFile = flag.String("cluster", "../testdata/clusters/busy.yaml", "manifests of the cluster that TestStorm starts from")

// TestStorm floods the monitor: hundreds of ready snapshots, each delivered again at each restart, and pods that stop. So many
// steps would take longer than patience if time passed as freely beside them as in smaller worlds.
func TestStorm(t *testing.T) {
	objects := manifests(*clusterFile)
	sim.CheckWith(t, sim.Options{Schedules: 20, Horizon: horizon, Lag: time.Second}, restarts(objects, 3))
}

// TestSmall looks closer at fewer things: many more schedules of a cluster with one stopping pod.
func TestSmall(t *testing.T) {
	objects := manifests("../testdata/clusters/small.yaml")
	sim.CheckWith(t, sim.Options{Horizon: horizon}, restarts(objects, 1))
}

// TestSeveral has pods in several stages of their finalization.
func TestSeveral(t *testing.T) {
	objects := manifests("../testdata/clusters/several.json")
	sim.CheckWith(t, sim.Options{Schedules: 50, Horizon: horizon}, restarts(objects, 2))
}

// TestFresh has no restarts, and no snapshot that is ready already: whatever is wrong with old ones does not show.
func TestFresh(t *testing.T) {
	objects := slices.DeleteFunc(manifests("../testdata/clusters/small.yaml"), func(o runtime.Object) bool {
		_, isSnapshot := o.(*snapshotv1.VolumeSnapshot)
		return isSnapshot
	})
	sim.CheckWith(t, sim.Options{Schedules: 20, Horizon: horizon}, restarts(objects, 0))
}
