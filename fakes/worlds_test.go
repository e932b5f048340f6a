package fakes

import (
	"context"
	"fmt"
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

// judge is a handler that knows the contract of informers, and what it was
// told last of each object.
type judge struct {
	problems *[]string
	known    map[string]*snapshotv1.VolumeSnapshot
	running  bool
	initial  bool
	next     func(*snapshotv1.VolumeSnapshot)
}

func (j *judge) expect(ok bool, format string, args ...any) {
	if !ok {
		*j.problems = append(*j.problems, fmt.Sprintf(format, args...))
	}
}

// enter checks that callbacks do not overlap.
func (j *judge) enter() func() {
	j.expect(!j.running, "two callbacks of one handler at once")
	j.running = true
	return func() { j.running = false }
}

func (j *judge) OnAdd(o any, initial bool) {
	defer j.enter()()
	s := o.(*snapshotv1.VolumeSnapshot)
	j.expect(j.known[s.Name] == nil, "add of %s, which is known", s.Name)
	j.expect(!initial || j.initial, "an initial add after another event")
	j.initial = initial
	j.known[s.Name] = s
	j.next(s)
}

func (j *judge) OnUpdate(old, o any) {
	defer j.enter()()
	j.initial = false
	before, s := old.(*snapshotv1.VolumeSnapshot), o.(*snapshotv1.VolumeSnapshot)
	j.expect(j.known[s.Name] == before, "update of %s from another state than the last one", s.Name)
	j.expect(revisionOf(before) <= revisionOf(s), "%s goes back in time", s.Name)
	j.known[s.Name] = s
	j.next(s)
}

func (j *judge) OnDelete(o any) {
	defer j.enter()()
	j.initial = false
	if lost, ok := o.(cache.DeletedFinalStateUnknown); ok {
		s := lost.Obj.(*snapshotv1.VolumeSnapshot)
		j.expect(j.known[s.Name] == s, "tombstone of %s with another state than the last one", s.Name)
		delete(j.known, s.Name)
		return
	}
	s := o.(*snapshotv1.VolumeSnapshot)
	j.expect(j.known[s.Name] != nil, "delete of %s, which is not known", s.Name)
	delete(j.known, s.Name)
}

// The judge itself must notice each breach of the contract.
func TestJudgeNoticesBreaches(t *testing.T) {
	at := func(revision string) *snapshotv1.VolumeSnapshot {
		s := snapshot("s")
		s.ResourceVersion = revision
		return s
	}
	first, second := at("1"), at("2")
	check := func(want string, events func(*judge)) {
		t.Helper()
		var problems []string
		events(&judge{
			problems: &problems, known: map[string]*snapshotv1.VolumeSnapshot{}, initial: true,
			next: func(*snapshotv1.VolumeSnapshot) {},
		})
		require.Contains(t, problems, want)
	}
	check("add of s, which is known", func(j *judge) { j.OnAdd(first, true); j.OnAdd(second, true) })
	check("an initial add after another event", func(j *judge) { j.OnAdd(first, false); j.OnDelete(first); j.OnAdd(second, true) })
	check("update of s from another state than the last one", func(j *judge) { j.OnUpdate(first, second) })
	check("s goes back in time", func(j *judge) { j.OnAdd(second, true); j.OnUpdate(second, first) })
	check("delete of s, which is not known", func(j *judge) { j.OnDelete(first) })
	check("tombstone of s with another state than the last one", func(j *judge) {
		j.OnAdd(first, true)
		j.OnDelete(cache.DeletedFinalStateUnknown{Key: "default/s", Obj: second})
	})
	check("two callbacks of one handler at once", func(j *judge) {
		j.next = func(*snapshotv1.VolumeSnapshot) { j.OnDelete(first) }
		j.OnAdd(first, true)
	})
}

// world runs a program that deletes each ready snapshot and creates it anew
// until there were a hundred writes, through crashes and faults.
func world(t *testing.T, seed uint64) (result sched.Result, c *Cluster, problems []string) {
	synctest.Test(t, func(t *testing.T) {
		w := sched.New(sched.Options{Horizon: time.Hour}, explore.NewRandom(seed, 0))
		defer w.End()
		c = NewCluster(Options{
			Faults:         Faults{Relists: 2, Resyncs: 2, StaleLists: 2, WatchEnds: 1, Rare: 3},
			SnapshotDelays: []time.Duration{0, time.Second, time.Minute},
		})
		require.NoError(t, c.Add(claim("a"), snapshotOf("s1", "a"), snapshotOf("s2", "a")))
		w.NewActor("snapshot controller", c.SnapshotController)
		w.NewActor("kubelet", c.Kubelet)
		w.NewProcess("program", func(ctx context.Context) { recreate(ctx, c, &problems) }, 2)
		w.Run(nil)
		result = w.Result()
	})
	return result, c, problems
}

func recreate(ctx context.Context, c *Cluster, problems *[]string) {
	api := c.Clients().Snapshots.SnapshotV1().VolumeSnapshots("default")
	informers := c.Informers()
	_, err := informers.VolumeSnapshots().AddEventHandler(&judge{
		problems: problems, known: map[string]*snapshotv1.VolumeSnapshot{}, initial: true,
		next: func(s *snapshotv1.VolumeSnapshot) {
			if ready(s) && c.Stats().Writes < 100 {
				_ = api.Delete(ctx, s.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &s.UID}})
				_, _ = api.Create(ctx, snapshotOf(s.Name, "a"), metav1.CreateOptions{})
			}
		},
	})
	if err != nil {
		panic(err)
	}
	informers.Run(ctx)
}

// The same answers give the same world, whatever the faults, and no informer
// ever breaks its contract.
func TestWorldsKeepTheContractAndAreDeterministic(t *testing.T) {
	var all Stats
	for seed := range uint64(60) {
		first, c, problems := world(t, seed)
		require.Empty(t, problems, "seed %d", seed)
		require.Empty(t, first.Findings, "seed %d", seed)
		second, _, _ := world(t, seed)
		require.Equal(t, first.Hash, second.Hash, "seed %d gave two worlds", seed)
		s := c.Stats()
		all.Relists += s.Relists
		all.Resyncs += s.Resyncs
		all.StaleLists += s.StaleLists
		all.Writes += s.Writes
		all.Deliveries += s.Deliveries
	}
	require.NotZero(t, all.Relists)
	require.NotZero(t, all.Resyncs)
	require.NotZero(t, all.StaleLists)
}
