package fakes

import (
	"context"
	"errors"
	"fmt"
	"testing"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	snapshotclient "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned"
	snapshotfake "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/fake"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
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
	for _, n := range []int{100, 1000, 10_000, 100_000} {
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

// BenchmarkDeliver is an update and the call of a handler with it, through our
// informer, and through client-go's on a generated fake.
func BenchmarkDeliver(b *testing.B) {
	update := func(b *testing.B, client snapshotclient.Interface, informer cache.SharedIndexInformer, after func()) {
		seen := make(chan struct{})
		_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(any, any) { seen <- struct{}{} }})
		if err != nil {
			b.Fatal(err)
		}
		running, cancel := context.WithCancel(ctx)
		defer cancel()
		go informer.RunWithContext(running)
		cache.WaitForCacheSync(running.Done(), informer.HasSynced)
		api := client.SnapshotV1().VolumeSnapshots("default")
		s, err := api.Get(ctx, "s00050", metav1.GetOptions{})
		for i := 0; b.Loop() && err == nil; i++ {
			s.Labels = map[string]string{"n": fmt.Sprint(i)}
			s, err = api.Update(ctx, s, metav1.UpdateOptions{})
			<-seen
			after()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("cluster", func(b *testing.B) {
		c := NewCluster(Options{})
		if err := c.Add(stored(100)...); err != nil {
			b.Fatal(err)
		}
		update(b, c.Clients().Snapshots, c.Informers().VolumeSnapshots(), func() {})
	})
	b.Run("tracker", func(b *testing.B) {
		client := snapshotfake.NewSimpleClientset(stored(100)...)
		update(b, client, informerOver(client), client.ClearActions)
	})
}

// informerOver is client-go's informer over a generated fake, which knows no
// lists that are streamed.
func informerOver(client snapshotclient.Interface) cache.SharedIndexInformer {
	api := client.SnapshotV1().VolumeSnapshots("default")
	return cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return api.List(ctx, o) },
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			if o.SendInitialEvents != nil {
				return nil, errors.New("not supported")
			}
			return api.Watch(ctx, o)
		},
	}, &snapshotv1.VolumeSnapshot{}, 0, cache.Indexers{})
}
