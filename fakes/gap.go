package fakes

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// gap is what an informer has no events of: the writes between the last one
// that it saw and a new list, by revision.
type gap struct {
	table        *table
	after, until int64
}

func (c *Cluster) noteGap(g gap) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.addGap(g)
}

//go:norace
func (c *Cluster) addGap(g gap) { c.gaps = append(c.gaps, g) }

func (c *Cluster) allGaps() []gap {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.readGaps()
}

//go:norace
func (c *Cluster) readGaps() []gap { return append([]gap(nil), c.gaps...) }

// Missed says whether an informer was never to show an object, for it was
// created and deleted ahead of a new list: no event tells a program of such a
// one. It is for properties; see Pods.
func (c *Cluster) Missed(uid types.UID) bool {
	for _, g := range c.allGaps() {
		created := false
		for _, change := range c.changesOf(g.table, g.after) {
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
