package fakes

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/snapstorm/snapstorm/sim/explore"
	"github.com/snapstorm/snapstorm/sim/sched"
)

// everyFault makes a hard world.
var everyFault = Faults{Relists: 2, Resyncs: 2, StaleLists: 2, WatchEnds: 1, HandlerLags: 3, InformerLags: 2, Mishaps: 10, Rare: 3}

// world runs a program that deletes each ready snapshot and creates it anew
// until there were a hundred writes, through crashes and faults.
func world(t *testing.T, seed uint64) (result sched.Result, c *Cluster) {
	synctest.Test(t, func(t *testing.T) {
		w := sched.New(sched.Options{Horizon: time.Hour}, explore.NewRandom(seed, 0))
		defer w.End()
		c = NewCluster(Options{
			Faults:         everyFault,
			SnapshotDelays: []time.Duration{0, time.Second, time.Minute},
		})
		require.NoError(t, c.Add(claim("a"), snapshotOf("s1", "a"), snapshotOf("s2", "a")))
		w.NewActor("snapshot controller", c.SnapshotController)
		w.NewActor("kubelet", c.Kubelet)
		w.NewProcess("program", func(ctx context.Context) { recreate(ctx, c) }, 2)
		w.Run(nil)
		result = w.Result()
	})
	return result, c
}

func recreate(ctx context.Context, c *Cluster) {
	api := c.Clients().Snapshots.SnapshotV1().VolumeSnapshots("default")
	informers := c.Informers()
	again := func(o any) {
		s := o.(*snapshotv1.VolumeSnapshot)
		if ready(s) && c.Stats().Writes < 100 {
			_ = api.Delete(ctx, s.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &s.UID}})
			_, _ = api.Create(ctx, snapshotOf(s.Name, "a"), metav1.CreateOptions{})
		}
	}
	for range 2 {
		_, err := informers.VolumeSnapshots().AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: again, UpdateFunc: func(_, o any) { again(o) },
		})
		if err != nil {
			panic(err)
		}
	}
	informers.Run(ctx)
}

// The same answers give the same world, whatever the faults, and no informer
// ever breaks its contract.
func TestWorldsKeepTheContractAndAreDeterministic(t *testing.T) {
	var all Stats
	for seed := range uint64(60) {
		first, c := world(t, seed)
		require.Empty(t, first.Findings, "seed %d", seed)
		second, _ := world(t, seed)
		require.Equal(t, first.Hash, second.Hash, "seed %d gave two worlds", seed)
		s := c.Stats()
		all.Relists += s.Relists
		all.Resyncs += s.Resyncs
		all.StaleLists += s.StaleLists
		all.Writes += s.Writes
		all.Deliveries += s.Deliveries
		all.Lags += s.Lags
		all.Mishaps += s.Mishaps
	}
	require.NotZero(t, all.Relists)
	require.NotZero(t, all.Resyncs)
	require.NotZero(t, all.StaleLists)
	require.NotZero(t, all.Lags)
	require.NotZero(t, all.Mishaps)
}
