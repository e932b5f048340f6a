package fakes

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// gap is what an informer has no events of: the writes between the last one
// that it saw and a new list, by revision.
type gap struct {
	informer     *Informer
	after, until int64
}

// noteList notes what an informer has no events of that goes on from a list.
func (c *Cluster) noteList(i *Informer, revision int64, first bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.addList(i, revision, first)
}

//go:norace
func (c *Cluster) addList(i *Informer, revision int64, first bool) {
	if first {
		i.table.newest = i
		return
	}
	c.gaps = append(c.gaps, gap{i, i.revision, revision})
}

// gapsNow are those of the informers that started last: who starts after a gap
// has none, and sees in its first list what there is.
func (c *Cluster) gapsNow() []gap {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.readGaps()
}

//go:norace
func (c *Cluster) readGaps() (gaps []gap) {
	for _, g := range c.gaps {
		if g.informer.table.newest == g.informer {
			gaps = append(gaps, g)
		}
	}
	return gaps
}

// Missed says whether the informer of the latest run of a program was never to
// show an object, for it was created and deleted ahead of a new list: no event
// tells the program of such a one. It is for properties; see Pods.
func (c *Cluster) Missed(uid types.UID) bool {
	for _, g := range c.gapsNow() {
		created := false
		for _, change := range c.changesOf(g.informer.table, g.after) {
			if change.Revision > g.until || change.Object.(metav1.Object).GetUID() != uid {
				continue
			}
			created = created || change.Type == watch.Added
			if created && change.Type == watch.Deleted {
				return true
			}
		}
	}
	return false
}
