package fakes

import (
	"cmp"
	"fmt"
	"reflect"
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
func (c *Cluster) Changes() []Change { return c.ChangesAfter(0) }

// ChangesAfter is Changes without those of a revision and before.
func (c *Cluster) ChangesAfter(revision int64) []Change {
	var all []Change
	for _, t := range c.tables {
		all = append(all, c.changesOf(t, revision)...)
	}
	slices.SortFunc(all, func(a, b Change) int { return cmp.Compare(a.Revision, b.Revision) })
	return all
}

func (c *Cluster) changesOf(t *table, revision int64) []Change {
	var all []Change
	for at := c.positionAfter(t, revision); ; at++ {
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

func (c *Cluster) positionAfter(t *table, revision int64) int {
	c.lock.Lock()
	defer c.lock.Unlock()
	return t.after(revision)
}

func (c *Cluster) changeAt(t *table, position int) (change, bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	return t.at(position)
}

// records returns the present states of a table, in key order.
func (c *Cluster) records(t *table) []*record {
	c.lock.Lock()
	defer c.lock.Unlock()
	return t.all()
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
func (c *Cluster) Pods() []*corev1.Pod { return objectsIn[*corev1.Pod](c, c.tables[pods]) }

// PersistentVolumeClaims returns the claims in key order; see Pods.
func (c *Cluster) PersistentVolumeClaims() []*corev1.PersistentVolumeClaim {
	return objectsIn[*corev1.PersistentVolumeClaim](c, c.tables[claims])
}

// VolumeSnapshots returns the snapshots in key order; see Pods.
func (c *Cluster) VolumeSnapshots() []*snapshotv1.VolumeSnapshot {
	return objectsIn[*snapshotv1.VolumeSnapshot](c, c.tables[snapshots])
}

// VolumeSnapshotContents returns the contents in key order; see Pods.
func (c *Cluster) VolumeSnapshotContents() []*snapshotv1.VolumeSnapshotContent {
	return objectsIn[*snapshotv1.VolumeSnapshotContent](c, c.tables[contents])
}

// Pod returns one pod, or nil; see Pods.
func (c *Cluster) Pod(namespace, name string) *corev1.Pod {
	return objectIn[*corev1.Pod](c, c.tables[pods], namespace, name)
}

// PersistentVolumeClaim returns one claim, or nil; see Pods.
func (c *Cluster) PersistentVolumeClaim(namespace, name string) *corev1.PersistentVolumeClaim {
	return objectIn[*corev1.PersistentVolumeClaim](c, c.tables[claims], namespace, name)
}

// VolumeSnapshot returns one snapshot, or nil; see Pods.
func (c *Cluster) VolumeSnapshot(namespace, name string) *snapshotv1.VolumeSnapshot {
	return objectIn[*snapshotv1.VolumeSnapshot](c, c.tables[snapshots], namespace, name)
}

// VolumeSnapshotContent returns one content, or nil; see Pods.
func (c *Cluster) VolumeSnapshotContent(name string) *snapshotv1.VolumeSnapshotContent {
	return objectIn[*snapshotv1.VolumeSnapshotContent](c, c.tables[contents], "", name)
}

// Objects returns the objects of a type in key order, for example
// Objects[*v1.Widget](cluster); see Pods. It panics if the cluster does not
// serve the type.
func Objects[T object](c *Cluster) []T {
	return objectsIn[T](c, c.mustServe(reflect.TypeFor[T]()))
}

// Lookup returns one object, or nil; see Objects.
func Lookup[T object](c *Cluster, namespace, name string) T {
	return objectIn[T](c, c.mustServe(reflect.TypeFor[T]()), namespace, name)
}

func (c *Cluster) mustServe(pointer reflect.Type) *table {
	t := c.tableOfType(pointer)
	if t == nil {
		panic(fmt.Sprintf("fakes: objects of type %v are not served: list the type in the Options' Types", pointer))
	}
	return t
}

func objectsIn[T object](c *Cluster, t *table) []T {
	var objects []T
	for _, r := range c.records(t) {
		objects = append(objects, r.object.(T))
	}
	return objects
}

func objectIn[T object](c *Cluster, t *table, namespace, name string) (none T) {
	if r := c.look(t, t.kind.key(namespace, name)); r != nil {
		return r.object.(T)
	}
	return none
}
