package fakes

import (
	"context"
	"fmt"
	"testing"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	snapshotclient "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned"
	snapshotfake "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/fake"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// stored returns n snapshots that are ready.
func stored(n int) (all []runtime.Object) {
	for i := range n {
		s := snapshotOf(fmt.Sprintf("s%05d", i), "claim")
		s.Labels = map[string]string{"of": "benchmark"}
		s.Status = &snapshotv1.VolumeSnapshotStatus{ReadyToUse: new(true), BoundVolumeSnapshotContentName: new("content")}
		all = append(all, s)
	}
	return all
}

// bench measures one call of our clients, and of the generated ones on their
// own tracker, which are the floor to compare with.
func bench(b *testing.B, n int, call func(snapshotclient.Interface, int) error) {
	run := func(name string, client snapshotclient.Interface, after func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := call(client, i); err != nil {
					b.Fatal(err)
				}
				after()
			}
		})
	}
	c := NewCluster(Options{})
	if err := c.Add(stored(n)...); err != nil {
		b.Fatal(err)
	}
	run("cluster", c.Clients().Snapshots, func() {})
	tracker := snapshotfake.NewSimpleClientset(stored(n)...)
	run("tracker", tracker, tracker.ClearActions)
}

func BenchmarkGet(b *testing.B) {
	bench(b, 100, func(c snapshotclient.Interface, _ int) error {
		_, err := c.SnapshotV1().VolumeSnapshots("default").Get(ctx, "s00050", metav1.GetOptions{})
		return err
	})
}

func BenchmarkUpdate(b *testing.B) {
	bench(b, 100, func(c snapshotclient.Interface, i int) error {
		api := c.SnapshotV1().VolumeSnapshots("default")
		s, err := api.Get(ctx, "s00050", metav1.GetOptions{})
		if err != nil {
			return err
		}
		s.Labels = map[string]string{"n": fmt.Sprint(i)}
		_, err = api.Update(ctx, s, metav1.UpdateOptions{})
		return err
	})
}

func BenchmarkList100(b *testing.B) {
	bench(b, 100, func(c snapshotclient.Interface, _ int) error {
		_, err := c.SnapshotV1().VolumeSnapshots("default").List(ctx, metav1.ListOptions{})
		return err
	})
}

func BenchmarkNewClients(b *testing.B) {
	c := NewCluster(Options{})
	for b.Loop() {
		c.Clients()
	}
}

// BenchmarkFlood is a restart: a new informer lists many snapshots and
// delivers them all.
func BenchmarkFlood(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c := NewCluster(Options{})
			if err := c.Add(stored(n)...); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				flood(c, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/event")
		})
	}
}

func flood(c *Cluster, n int) {
	delivered, all := 0, make(chan struct{})
	i := c.Informers().VolumeSnapshots()
	_, _ = i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) {
		if delivered++; delivered == n {
			close(all)
		}
	}})
	running, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		i.RunWithContext(running)
		close(ended)
	}()
	<-all
	cancel()
	<-ended
}
