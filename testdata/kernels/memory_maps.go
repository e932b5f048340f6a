package kernels

import (
	"context"
	"maps"
	"sync"
)

// podIndex knows the pods of each node.
type podIndex struct {
	mu    sync.Mutex
	nodes map[string]map[string]bool
}

func newPodIndex() *podIndex {
	return &podIndex{nodes: map[string]map[string]bool{"n1": {"a": true}}}
}

func (x *podIndex) add(node, pod string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.nodes[node] == nil {
		x.nodes[node] = map[string]bool{}
	}
	x.nodes[node][pod] = true
}

// rangeUnlocked locks to write and not to iterate.
func rangeUnlocked(context.Context) {
	x := newPodIndex()
	go x.add("n2", "b")
	for range x.nodes {
	}
}

func rangeUnlockedFixed(context.Context) {
	x := newPodIndex()
	go x.add("n2", "b")
	x.mu.Lock()
	defer x.mu.Unlock()
	for range x.nodes {
	}
}

// innerMap hands out a map under the lock that its user ranges over after the unlock.
func innerMap(context.Context) {
	listAndAdd(func(x *podIndex) map[string]bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		return x.nodes["n1"]
	})
}

func innerMapFixed(context.Context) {
	listAndAdd(func(x *podIndex) map[string]bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		return maps.Clone(x.nodes["n1"])
	})
}

func listAndAdd(podsOf func(*podIndex) map[string]bool) {
	x := newPodIndex()
	go x.add("n1", "b")
	n := 0
	for pod := range podsOf(x) {
		n += len(pod)
	}
}

// lockPerName has a lock for each name, and one map for all of them.
func lockPerName(context.Context) {
	perName := [2]sync.Mutex{}
	setBoth(func(i int) *sync.Mutex { return &perName[i] })
}

func lockPerNameFixed(context.Context) {
	perName := [2]sync.Mutex{}
	setBoth(func(int) *sync.Mutex { return &perName[0] })
}

func setBoth(lock func(i int) *sync.Mutex) {
	phases := map[string]string{}
	both(nil, func(i int) {
		mu := lock(i)
		mu.Lock()
		defer mu.Unlock()
		phases[[]string{"a", "b"}[i]] = "Ready"
	})
}
