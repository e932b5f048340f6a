package kernels

import (
	"context"
	"sync"
)

// lockOrderTwo locks queue and index in one order to add, and in the other to remove.
func lockOrderTwo(context.Context) {
	var s spool
	go s.add("job")
	go s.removeIndexFirst("job")
}

func lockOrderTwoFixed(context.Context) {
	var s spool
	go s.add("job")
	go s.remove("job")
}

type spool struct {
	queueMu, indexMu sync.Mutex
	queue            []string
	index            map[string]int
}

func (s *spool) add(job string) {
	s.queueMu.Lock()
	defer s.queueMu.Unlock()
	s.queue = append(s.queue, job)
	s.indexMu.Lock()
	defer s.indexMu.Unlock()
	s.index = map[string]int{job: len(s.queue)}
}

func (s *spool) removeIndexFirst(job string) {
	s.indexMu.Lock()
	defer s.indexMu.Unlock()
	delete(s.index, job)
	s.queueMu.Lock()
	defer s.queueMu.Unlock()
	s.queue = nil
}

func (s *spool) remove(job string) {
	s.queueMu.Lock()
	defer s.queueMu.Unlock()
	s.queue = nil
	s.indexMu.Lock()
	defer s.indexMu.Unlock()
	delete(s.index, job)
}

// lockOrderThree has three parts each of which calls the next under its own lock, round in a circle.
func lockOrderThree(context.Context) { callNext(3, func(i int) (int, int) { return i, (i + 1) % 3 }) }

func lockOrderThreeFixed(context.Context) {
	callNext(3, func(i int) (int, int) { return min(i, (i+1)%3), max(i, (i+1)%3) })
}

func callNext(n int, order func(int) (int, int)) {
	parts := make([]sync.Mutex, n)
	for i := range n {
		go func() {
			first, second := order(i)
			parts[first].Lock()
			defer parts[first].Unlock()
			parts[second].Lock()
			defer parts[second].Unlock()
		}()
	}
}

// lockOrderArgument locks the two shards of a move in the order of its arguments.
func lockOrderArgument(context.Context) {
	moveBoth(func(from, to *shard) (*shard, *shard) { return from, to })
}

func lockOrderArgumentFixed(context.Context) {
	moveBoth(func(from, to *shard) (*shard, *shard) {
		if to.id < from.id {
			return to, from
		}
		return from, to
	})
}

type shard struct {
	mu   sync.Mutex
	id   int
	size int
}

func moveBoth(order func(from, to *shard) (*shard, *shard)) {
	move := func(from, to *shard) {
		first, second := order(from, to)
		first.mu.Lock()
		defer first.mu.Unlock()
		second.mu.Lock()
		defer second.mu.Unlock()
		from.size--
		to.size++
	}
	a, b := &shard{id: 1, size: 5}, &shard{id: 2, size: 5}
	go move(a, b)
	go move(b, a)
}

// readWriteRead takes a read lock inside a read lock, and a writer comes in between.
func readWriteRead(context.Context) { describeAndSet((*registry).describe) }

func readWriteReadFixed(context.Context) { describeAndSet((*registry).describeLocked) }

type registry struct {
	mu    sync.RWMutex
	names []string
}

func describeAndSet(describe func(*registry) int) {
	var r registry
	go func() {
		r.mu.RLock()
		defer r.mu.RUnlock()
		describe(&r)
	}()
	go func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.names = append(r.names, "a")
	}()
}

func (r *registry) describe() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.names)
}

func (r *registry) describeLocked() int { return len(r.names) }

// readLockUpgrade asks for the write lock while it holds the read lock.
func readLockUpgrade(context.Context) {
	var r registry
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.names) == 0 {
		r.mu.Lock()
		r.names = []string{"default"}
		r.mu.Unlock()
	}
}

func readLockUpgradeFixed(context.Context) {
	var r registry
	r.mu.RLock()
	empty := len(r.names) == 0
	r.mu.RUnlock()
	if empty {
		r.mu.Lock()
		r.names = []string{"default"}
		r.mu.Unlock()
	}
}

// readLockUnlock releases a read lock as if it were the write lock.
func readLockUnlock(context.Context) {
	var r registry
	r.mu.RLock()
	defer r.mu.Unlock()
	_ = len(r.names)
}

func readLockUnlockFixed(context.Context) {
	var r registry
	r.mu.RLock()
	defer r.mu.RUnlock()
	_ = len(r.names)
}
