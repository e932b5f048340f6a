package fakes

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	client "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/typed/volumesnapshot/v1"
	"github.com/stretchr/testify/require"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"pgregory.net/rapid"

	"github.com/snapstorm/snapstorm/fakes/script"
)

func init() {
	// The second of the error handlers sleeps until real time, which is years
	// away from a bubble's.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
}

// own is our informer over our cluster.
type own struct {
	*Cluster
	broken bool // the stream breaks at the next change
	age    int  // of the next list, after a restart
}

func newOwn(resync time.Duration) *own {
	o := &own{Cluster: NewCluster(Options{ResyncPeriod: resync, Faults: Faults{
		Relists: 1000, StaleLists: 1000, Mishaps: 1, MishapKinds: []Mishap{Unreachable},
	}})}
	o.ask = o.answer
	return o
}

func (o *own) answer(label string, n, _ int) int {
	switch {
	case strings.HasPrefix(label, "receive ") && o.broken:
		o.broken = false
		return 1
	case strings.HasPrefix(label, "list "):
		return min(o.age, n-1)
	}
	return 0
}

func (o *own) API(namespace string) client.VolumeSnapshotInterface {
	return o.Clients().Snapshots.SnapshotV1().VolumeSnapshots(namespace)
}

func (o *own) Informer(_ time.Duration, age int, _ *snapshotv1.VolumeSnapshotList) cache.SharedIndexInformer {
	o.broken, o.age = false, age
	return o.Informers().VolumeSnapshots()
}

func (o *own) Rewatch(_ int, gap func()) { gap() }

func (o *own) Relist(cut int, gap func()) {
	o.broken = true
	gap()
	if cut%2 == 1 {
		time.Sleep(time.Millisecond) // until the stream has broken
		o.Away(time.Minute)
	}
}

func (o *own) Away(while time.Duration) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.setAway(time.Now().Add(while).UnixNano())
}

// theirs is client-go's informer over our cluster.
func theirs(watchList bool) *script.ClientGo {
	c := NewCluster(Options{})
	return &script.ClientGo{
		Get: func(namespace string) client.VolumeSnapshotInterface {
			return c.Clients().Snapshots.SnapshotV1().VolumeSnapshots(namespace)
		},
		WatchList: watchList,
	}
}

// Whatever happens to a cluster, our informer tells its handlers what
// client-go's tells them.
func TestConformance(t *testing.T) {
	t.Run("client-go-list", func(t *testing.T) { conform(t, false) })
	t.Run("client-go-watchlist", func(t *testing.T) { conform(t, true) })
}

func conform(t *testing.T, watchList bool) {
	scripts, failed := 0, false // until the first difference, without what rapid shrinks
	t.Cleanup(func() { t.Logf("%d scripts", scripts) })
	rapid.Check(t, func(t *rapid.T) {
		s := script.Scripts().Draw(t, "script")
		if !failed {
			scripts++
		}
		rapid.SyncTest(t, func(t *rapid.T) {
			original := theirs(watchList)
			want := script.Play(s, original)
			if watchList != (original.Streamed > 0) {
				t.Fatalf("client-go was streamed %d lists", original.Streamed)
			}
			got := script.Play(s, newOwn(s.Resync))
			if d := script.Difference(want, got, !watchList); d != "" {
				failed = true
				t.Fatalf("client-go and our informer differ in %s\nin the script\n%v", d, s)
			}
		})
	})
}

// The scripts reach all that the contract of informers allows, or a comparison
// would say little.
func TestScriptsReachAllDeviations(t *testing.T) {
	var all strings.Builder
	for seed := range 150 {
		s := script.Scripts().Example(seed)
		synctest.Test(t, func(*testing.T) { all.WriteString(script.Play(s, newOwn(s.Resync)).String()) })
	}
	for _, what := range []string{
		": add ", "(initial)", ": update ", "(another object)", "(unchanged)", "(same pointer)", ": delete ", ": tombstone ",
		"(from an object that was not the last)", // a handler that was not due was spared an unchanged one
		"in flight: add", "in flight: any of the initial adds", "in flight: any of the tombstones", "in flight: any of the resyncs",
		"synced: true false", "synced: false false", "stopped: true",
	} {
		require.Contains(t, all.String(), what)
	}
	require.NotContains(t, all.String(), "(ahead of the store)")
}
