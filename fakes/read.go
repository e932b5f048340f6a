package fakes

import (
	"cmp"
	"slices"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// A Change is one write, as a watch would report it.
type Change struct {
	Revision int64
	Type     watch.EventType // watch.Added, watch.Modified or watch.Deleted
	Resource string          // for example "pods"
	Key      string          // namespace/name, or the name alone
	Object   runtime.Object  // the new state; for a deletion the last one
	Before   runtime.Object  // nil for a creation
}

// Changes returns all writes so far, by revision, those of Add included. The
// objects are shared and must not be changed.
func (c *Cluster) Changes() []Change {
	var all []Change
	for _, t := range c.tables {
		all = append(all, c.changesOf(t)...)
	}
	slices.SortFunc(all, func(a, b Change) int { return cmp.Compare(a.Revision, b.Revision) })
	return all
}

func (c *Cluster) changesOf(t *table) []Change {
	var all []Change
	for at := 0; ; at++ {
		ch, found := c.changeAt(t, at)
		if !found {
			return all
		}
		out := Change{
			Revision: ch.now.revision,
			Type:     ch.what,
			Resource: t.kind.resource.Resource,
			Key:      ch.now.key,
			Object:   ch.now.object,
		}
		if ch.before != nil {
			out.Before = ch.before.object
		}
		all = append(all, out)
	}
}

func (c *Cluster) changeAt(t *table, position int) (change, bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	return t.at(position)
}

func (c *Cluster) look(t *table, key string) *record {
	c.lock.Lock()
	defer c.lock.Unlock()
	return t.get(key)
}

// Revision returns the revision of the last write; zero when there was none.
func (c *Cluster) Revision() int64 {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.present()
}

// Pods returns the pods in key order. Like all that the cluster shows to
// properties, they are shared and must not be changed. Looking is no point of
// the scheduler and no API call.
func (c *Cluster) Pods() []*corev1.Pod { return objectsOf[*corev1.Pod](c, pods) }

// PersistentVolumeClaims returns the claims in key order; see Pods.
func (c *Cluster) PersistentVolumeClaims() []*corev1.PersistentVolumeClaim {
	return objectsOf[*corev1.PersistentVolumeClaim](c, claims)
}

// VolumeSnapshots returns the snapshots in key order; see Pods.
func (c *Cluster) VolumeSnapshots() []*snapshotv1.VolumeSnapshot {
	return objectsOf[*snapshotv1.VolumeSnapshot](c, snapshots)
}

// VolumeSnapshotContents returns the contents in key order; see Pods.
func (c *Cluster) VolumeSnapshotContents() []*snapshotv1.VolumeSnapshotContent {
	return objectsOf[*snapshotv1.VolumeSnapshotContent](c, contents)
}

// Pod returns one pod, or nil; see Pods.
func (c *Cluster) Pod(namespace, name string) *corev1.Pod {
	return objectOf[*corev1.Pod](c, pods, namespace, name)
}

// PersistentVolumeClaim returns one claim, or nil; see Pods.
func (c *Cluster) PersistentVolumeClaim(namespace, name string) *corev1.PersistentVolumeClaim {
	return objectOf[*corev1.PersistentVolumeClaim](c, claims, namespace, name)
}

// VolumeSnapshot returns one snapshot, or nil; see Pods.
func (c *Cluster) VolumeSnapshot(namespace, name string) *snapshotv1.VolumeSnapshot {
	return objectOf[*snapshotv1.VolumeSnapshot](c, snapshots, namespace, name)
}

// VolumeSnapshotContent returns one content, or nil; see Pods.
func (c *Cluster) VolumeSnapshotContent(name string) *snapshotv1.VolumeSnapshotContent {
	return objectOf[*snapshotv1.VolumeSnapshotContent](c, contents, "", name)
}

func objectsOf[T object](c *Cluster, table int) []T {
	c.lock.Lock()
	defer c.lock.Unlock()
	var objects []T
	for _, r := range c.tables[table].all() {
		objects = append(objects, r.object.(T))
	}
	return objects
}

func objectOf[T object](c *Cluster, table int, namespace, name string) (none T) {
	t := c.tables[table]
	if r := c.look(t, t.kind.key(namespace, name)); r != nil {
		return r.object.(T)
	}
	return none
}
