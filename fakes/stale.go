package fakes

import (
	"slices"
	"strings"
)

// Reads with resourceVersion "0" take what the API server has in its cache. A
// second API server may be behind the first, so that what they answer is old.
// All other reads go through to the storage, and are never stale.

// ages are by how many writes an API server may be behind.
var ages = []int{1, 5, 50}

// staleRevision asks whether a read from the cache meets a server that is
// behind, and returns the revision that this one is at, or 0.
func (c *Cluster) staleRevision(what string) int64 {
	if !c.fault(what, staleRead, c.options.Faults.StaleReads, func(s *Stats) *int { return &s.StaleReads }) {
		return 0
	}
	age := ages[c.ask(what+": by how many writes", len(ages), usually)]
	c.lock.Lock()
	defer c.lock.Unlock()
	return max(c.present()-int64(age), c.setUpRevision(), 1)
}

// stateAt returns an object as it was at a past revision, or nil.
func (c *Cluster) stateAt(t *table, key string, revision int64) *record {
	states := c.statesAt(t, revision)
	at, found := slices.BinarySearchFunc(states, key, compareKey)
	if !found {
		return nil
	}
	return states[at]
}

// readRevision is what a read that may come from the cache sees: 0 is the
// present.
func (a *caller) readRevision(verb string, t *table, key, resourceVersion string) int64 {
	if resourceVersion != "0" || a.process == nil || a.cluster.options.Faults.StaleReads == 0 {
		return 0
	}
	return a.cluster.staleRevision(strings.TrimSpace(verb + " " + t.kind.resource.Resource + " " + key))
}
