package fakes_test

import (
	"context"
	"fmt"
	"testing"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/sim"
)

// relists has a program that lists n snapshots, restarts its informers and lists them again.
func relists(n int, delivered *int) func(*sim.World) {
	return func(w *sim.World) {
		cluster := fakes.NewCluster(fakes.Options{})
		for i := range n {
			if err := cluster.Add(&snapshotv1.VolumeSnapshot{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("s%05d", i)}}); err != nil {
				panic(err)
			}
		}
		w.Start(sim.Program{Name: "program", Main: func(ctx context.Context) {
			for range 2 {
				*delivered += listAll(ctx, cluster)
			}
		}})
	}
}

// listAll runs one snapshot informer until its handler has seen the initial list, and returns how many events that were.
func listAll(ctx context.Context, cluster *fakes.Cluster) (events int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	informers := cluster.Informers()
	seen, err := informers.VolumeSnapshots().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { events++ }})
	if err != nil {
		panic(err)
	}
	go informers.Run(ctx)
	<-seen.HasSyncedChecker().Done()
	return events
}

// BenchmarkRelist is a restart among many snapshots; ns/event should not depend on how many.
func BenchmarkRelist(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			events := 0
			sim.Bench(b, sim.Options{}, relists(n, &events))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
		})
	}
}
