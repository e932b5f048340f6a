package fakes

import (
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/snapstorm/snapstorm/sim"
)

// sharedObjects is the property of the objects in informers' caches.
const sharedObjects = "SharedObjects: objects in the caches of informers are changed by nobody"

// handedOut is an object that an informer has handed out, with a copy of what
// it was then.
type handedOut struct {
	name         string
	object, copy object
}

// handOut remembers what an informer is about to put into its cache. Records
// go to all informers alike, and are remembered once.
func (c *Cluster) handOut(t *table, r *record, o object) {
	if !c.watched || o == r.object && c.isKept(r) {
		return
	}
	name := t.kind.resource.Resource + " " + r.key + " at revision " + formatRevision(revisionOf(o))
	c.keep(r, &handedOut{name, o, o.DeepCopyObject().(object)})
}

func (c *Cluster) isKept(r *record) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return r.wasKept()
}

//go:norace
func (r *record) wasKept() bool { return r.kept }

func (c *Cluster) keep(r *record, h *handedOut) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.keepQuietly(r, h)
}

//go:norace
func (c *Cluster) keepQuietly(r *record, h *handedOut) {
	r.kept = r.kept || h.object == r.object
	c.handed = append(c.handed, h)
}

// watchShared has the world look whether objects that were handed out stay what
// they were.
func (c *Cluster) watchShared() {
	c.watched = sim.Unchanged(sharedObjects, func(suspect string) string {
		for _, h := range c.handed {
			if (suspect == "" || suspect == h.name) && !equality.Semantic.DeepEqual(h.object, h.copy) {
				return h.name
			}
		}
		return ""
	})
}
