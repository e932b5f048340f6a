package monitor_test

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/monitor"
	"github.com/snapstorm/snapstorm/sim"
)

// TestPair is small and calm enough for every schedule within a bound to be searched: two pods, two snapshots, and nothing
// that goes wrong but the order of things.
func TestPair(t *testing.T) {
	objects := manifests("../testdata/clusters/small.yaml")
	sim.CheckWith(t, sim.Options{Schedules: 20, Horizon: 8 * time.Second}, calm(objects, 0))
}

// TestPairCrashes is TestPair with a crash.
func TestPairCrashes(t *testing.T) {
	objects := manifests("../testdata/clusters/small.yaml")
	sim.CheckWith(t, sim.Options{Schedules: 20, Horizon: 8 * time.Second}, calm(objects, 1))
}

// brief is the deadline of small worlds.
const brief = 5 * time.Second

// calm is a scenario of a cluster without faults, in which the user stops nothing more.
func calm(objects []runtime.Object, crashes int) func(*sim.World) {
	return func(w *sim.World) {
		cluster := fakes.NewCluster(fakes.Options{SnapshotDelays: []time.Duration{time.Second}})
		if err := cluster.Add(objects...); err != nil {
			panic(err)
		}
		w.Go("snapshot-controller", cluster.SnapshotController)
		w.Start(sim.Program{Name: "monitor", Crashes: crashes, Main: func(ctx context.Context) { run(ctx, w, cluster, monitor.Config{Deadline: brief}) }})
		guarantees(w, cluster, brief)
	}
}
