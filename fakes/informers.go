package fakes

import (
	"context"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/snapstorm/snapstorm/sim"
)

// Informers are the informers of one incarnation of a program, each with a
// store of its own. A restarted program needs new ones.
type Informers struct {
	cluster   *Cluster
	informers []*Informer // one for each table
}

// Informers returns new informers. Those of the first incarnation start from
// the present state; later ones may start from an older one, though never
// from one older than the start of the first.
func (c *Cluster) Informers() *Informers {
	restarted := c.newIncarnation()
	s := &Informers{cluster: c}
	for _, t := range c.tables {
		s.informers = append(s.informers, newInformer(c, t, restarted))
	}
	return s
}

// newIncarnation tells whether there was one before.
func (c *Cluster) newIncarnation() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.countIncarnation() > 1
}

//go:norace
func (c *Cluster) countIncarnation() int {
	c.incarnations++
	if c.incarnations == 1 {
		c.setUp = c.revision
	}
	return c.incarnations
}

//go:norace
func (c *Cluster) setUpRevision() int64 { return c.setUp }

// Pods returns the informer for pods.
func (s *Informers) Pods() cache.SharedIndexInformer { return s.request(pods) }

// PersistentVolumeClaims returns the informer for claims.
func (s *Informers) PersistentVolumeClaims() cache.SharedIndexInformer { return s.request(claims) }

// VolumeSnapshots returns the informer for snapshots.
func (s *Informers) VolumeSnapshots() cache.SharedIndexInformer { return s.request(snapshots) }

// VolumeSnapshotContents returns the informer for contents.
func (s *Informers) VolumeSnapshotContents() cache.SharedIndexInformer { return s.request(contents) }

// Informer returns the informer for objects of the same type as the given one,
// of which nothing else matters. It panics if the cluster does not serve them.
func (s *Informers) Informer(like runtime.Object) cache.SharedIndexInformer {
	return s.request(slices.Index(s.cluster.tables, s.cluster.mustServe(reflect.TypeOf(like))))
}

func (s *Informers) request(table int) *Informer {
	i := s.informers[table]
	i.mutex.Lock()
	defer i.mutex.Unlock()
	sim.Changed(i)
	i.requested = true
	return i
}

// Run runs the informers that were asked for, as an informer factory does,
// each on a task of its own. It returns when all have ended.
func (s *Informers) Run(ctx context.Context) {
	var ended sim.Gate
	running := uint64(0)
	for _, i := range s.informers {
		if !i.wanted() {
			continue
		}
		running++
		sim.Go(i.resource()+" informer", func() {
			defer ended.Open()
			i.Run(ctx.Done())
		})
	}
	for seen := ended.Count(); seen < running; seen = ended.Count() {
		ended.Wait("informers", seen, nil)
	}
}
