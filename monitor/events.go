package monitor

import (
	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// podHandler queues the pods that wait for us. There is nothing to do when a pod
// is gone: a finalization that still runs finds out by its next read.
func (m *Monitor) podHandler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    m.podSeen,
		UpdateFunc: func(_, pod any) { m.podSeen(pod) },
	}
}

func (m *Monitor) podSeen(obj any) {
	if pod, ok := obj.(*corev1.Pod); ok && awaitsUs(pod) {
		m.queue.Add(keyOf(pod))
	}
}

// snapshotHandler wakes the finalizations that have reason to look again. It
// carries no state over: the event may be old, so the finalization reads the
// snapshot afresh.
func (m *Monitor) snapshotHandler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    m.snapshotSeen,
		UpdateFunc: m.snapshotChanged,
		DeleteFunc: m.snapshotDeleted,
	}
}

func (m *Monitor) snapshotSeen(obj any) {
	snapshot, ok := obj.(*snapshotv1.VolumeSnapshot)
	if ok && (isReady(snapshot) || snapshot.DeletionTimestamp != nil) {
		m.handover.notify(nameOf(snapshot), snapshot.UID)
	}
}

// snapshotChanged knows that after a relist an update may hide a deletion: the
// old object and the new one then differ in their UID.
func (m *Monitor) snapshotChanged(before, after any) {
	was, wasOK := before.(*snapshotv1.VolumeSnapshot)
	is, isOK := after.(*snapshotv1.VolumeSnapshot)
	if wasOK && isOK && was.UID != is.UID {
		m.handover.notify(nameOf(is), anyIncarnation)
	}
	m.snapshotSeen(after)
}

// snapshotDeleted takes only the name from a tombstone: its object may be
// missing, or an older incarnation than the one that was deleted.
func (m *Monitor) snapshotDeleted(obj any) {
	switch gone := obj.(type) {
	case *snapshotv1.VolumeSnapshot:
		m.handover.notify(nameOf(gone), gone.UID)
	case cache.DeletedFinalStateUnknown:
		namespace, name, err := cache.SplitMetaNamespaceKey(gone.Key)
		if err != nil {
			m.log.Error("tombstone with an unreadable key", "key", gone.Key, "error", err)
			return
		}
		m.handover.notify(types.NamespacedName{Namespace: namespace, Name: name}, anyIncarnation)
	}
}
