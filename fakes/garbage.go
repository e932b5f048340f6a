package fakes

import (
	"context"
	"iter"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/snapstorm/snapstorm/sim"
)

// GarbageCollector deletes the dependents of what is gone: an object whose
// ownerReferences all lead to objects that do not exist, by their UIDs, is
// deleted in the background. An owner that is deleted in the foreground waits
// for those dependents that block it, and one that is deleted with the policy
// Orphan first gets out of its dependents' references. References to kinds
// that the cluster does not serve keep an object, and so does one from an
// object without a namespace to one with. It returns when ctx ends.
//
// Cycles of owners that are all deleted in the foreground stay, where the real
// collector gets through them.
func (c *Cluster) GarbageCollector(ctx context.Context) {
	g := &collector{cluster: c, caller: c.clients(nil).caller, dependents: map[types.UID][]vertex{}, edges: map[edge]bool{}, hopeless: map[types.UID]bool{}}
	for _, t := range c.tables {
		g.actors = append(g.actors, &actor{
			name:    "garbage collector of " + t.kind.resource.Resource,
			cluster: c,
			table:   t,
			needs:   func(o object) bool { return !g.gaveUp(o) && g.next(t, o) != nil },
			care:    func(ctx context.Context, o object) { g.care(ctx, t, o) },
		})
	}
	var ended sim.Gate
	for _, a := range g.actors {
		sim.Go(a.name, func() {
			defer ended.Open()
			c.follow(ctx, a.name, a.table, func(ch change) { g.consider(ctx, a, ch) })
		})
	}
	for seen := ended.Count(); seen < uint64(len(g.actors)); seen = ended.Count() {
		ended.Wait("garbage collectors", seen, nil)
	}
}

// collector is the garbage collector. Like the real one it has a memory of who
// depends on whom, which may be late, and before it acts it looks at the
// objects themselves.
type collector struct {
	cluster *Cluster
	caller  *caller
	actors  []*actor // one for each table

	mutex      sync.Mutex
	hopeless   map[types.UID]bool     // objects whose writes are refused; looked up, never listed
	dependents map[types.UID][]vertex // of owners; grows only
	edges      map[edge]bool          // what is in there
}

// care does the next thing that is to be done for an object. After a conflict
// the next round sees the new state; what can never succeed is given up.
func (g *collector) care(ctx context.Context, t *table, o object) {
	act := g.next(t, o)
	if act == nil {
		return
	}
	err := act(ctx)
	if err == nil || apierrors.IsConflict(err) || apierrors.IsNotFound(err) || ctx.Err() != nil {
		return
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.hopeless[o.GetUID()] = true
}

func (g *collector) gaveUp(o object) bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.hopeless[o.GetUID()]
}

// vertex is where an object is, or was.
type vertex struct {
	actor *actor
	key   string
}

type edge struct {
	owner     types.UID
	dependent vertex
}

func (v vertex) look() *record { return v.actor.cluster.look(v.actor.table, v.key) }

// consider lets the actors look at whatever a change may matter to: the object
// itself, its dependents, and its owners.
func (g *collector) consider(ctx context.Context, a *actor, c change) {
	here := vertex{a, c.now.key}
	here.actor.consider(ctx, here.key)
	g.remember(here, c.now.object)
	for _, v := range g.dependentsOf(c.now.object) {
		v.actor.consider(ctx, v.key)
	}
	for _, r := range []*record{c.now, c.before} {
		if r == nil {
			continue
		}
		for _, ref := range r.object.GetOwnerReferences() {
			if owner := g.locate(r.object, ref); owner.actor != nil {
				owner.actor.consider(ctx, owner.key)
			}
		}
	}
}

// remember notes whose dependent an object is.
func (g *collector) remember(here vertex, o object) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	for _, ref := range o.GetOwnerReferences() {
		if e := (edge{ref.UID, here}); !g.edges[e] {
			g.edges[e] = true
			g.dependents[ref.UID] = append(g.dependents[ref.UID], here)
		}
	}
}

// dependentsOf returns where dependents of an object are or were.
func (g *collector) dependentsOf(o object) []vertex {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.dependents[o.GetUID()]
}

// references returns the present dependents of an object and the reference of
// each to it.
func (g *collector) references(o object) iter.Seq2[dependent, metav1.OwnerReference] {
	return func(yield func(dependent, metav1.OwnerReference) bool) {
		for _, v := range g.dependentsOf(o) {
			r := v.look()
			if r == nil {
				continue
			}
			at := slices.IndexFunc(r.object.GetOwnerReferences(), func(ref metav1.OwnerReference) bool { return ref.UID == o.GetUID() })
			if at >= 0 && !yield(dependent{v.actor.table, r.object}, r.object.GetOwnerReferences()[at]) {
				return
			}
		}
	}
}

type dependent struct {
	table  *table
	object object
}

// locate returns where a reference of an object leads to. There is no actor if
// that is unknown.
func (g *collector) locate(from object, ref metav1.OwnerReference) vertex {
	gv, _ := schema.ParseGroupVersion(ref.APIVersion)
	for _, a := range g.actors {
		k := a.table.kind
		if k.kind != gv.WithKind(ref.Kind) {
			continue
		}
		if k.namespaced && from.GetNamespace() == "" {
			break
		}
		return vertex{a, k.key(from.GetNamespace(), ref.Name)}
	}
	return vertex{}
}
