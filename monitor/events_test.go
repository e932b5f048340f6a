package monitor

import (
	"testing"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// Each event of a snapshot is news for who waits for it, or is none.
func TestSnapshotEvents(t *testing.T) {
	ready := readySnapshot()
	unready := readySnapshot(func(s *snapshotv1.VolumeSnapshot) { *s.Status.ReadyToUse = false })
	going := readySnapshot(func(s *snapshotv1.VolumeSnapshot) { s.Status, s.DeletionTimestamp = nil, &metav1.Time{} })
	other := readySnapshot(func(s *snapshotv1.VolumeSnapshot) { s.UID, s.Status = "s2", nil })
	for _, c := range []struct {
		name string
		tell func(cache.ResourceEventHandler)
		want int
	}{
		{"added, not ready", func(h cache.ResourceEventHandler) { h.OnAdd(unready, false) }, 0},
		{"added, ready", func(h cache.ResourceEventHandler) { h.OnAdd(ready, false) }, 1},
		{"still not ready", func(h cache.ResourceEventHandler) { h.OnUpdate(unready, unready) }, 0},
		{"has become ready", func(h cache.ResourceEventHandler) { h.OnUpdate(unready, ready) }, 1},
		{"is being deleted", func(h cache.ResourceEventHandler) { h.OnUpdate(unready, going) }, 1},
		{"was replaced unseen", func(h cache.ResourceEventHandler) { h.OnUpdate(unready, other) }, 1},
		{"is gone", func(h cache.ResourceEventHandler) { h.OnDelete(unready) }, 1},
		{"an earlier one is gone", func(h cache.ResourceEventHandler) { h.OnDelete(other) }, 0},
		{"is gone, and was seen last as another", func(h cache.ResourceEventHandler) {
			h.OnDelete(cache.DeletedFinalStateUnknown{Key: "ns/backup-p1", Obj: other})
		}, 1},
		{"a tombstone that says nothing", func(h cache.ResourceEventHandler) {
			h.OnDelete(cache.DeletedFinalStateUnknown{Key: "a/b/c"})
		}, 0},
	} {
		m := monitorOn(clientsWith(newStage()))
		w := m.handover.register(nameOf(ready), ready.UID)
		c.tell(m.snapshotHandler())
		if got := len(w.news); got != c.want {
			t.Errorf("%s: got %d news, want %d", c.name, got, c.want)
		}
		m.queue.ShutDown()
	}
}
