package kernels

import (
	"context"
	"sync"
	"sync/atomic"
)

// Bugs that lie in when an expression is evaluated.
var evaluation = []Kernel{
	{Name: "atomic-store-of-load", Class: "atomics", Want: "panic", Bug: storeOfLoad, Fixed: storeOfLoadFixed},
	{Name: "lock-order-map", Class: "locks", Want: "deadlock", Bug: lockOrderMap, Fixed: lockOrderMapFixed},
}

// storeOfLoad counts with two atomic operations in one statement: another count may come in between.
func storeOfLoad(context.Context) { countTwice(func(n *atomic.Int64) { n.Store(n.Load() + 1) }) }

func storeOfLoadFixed(context.Context) { countTwice(func(n *atomic.Int64) { n.Add(1) }) }

func countTwice(count func(*atomic.Int64)) {
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { count(&n) })
	}
	wg.Wait()
	if n.Load() != 2 {
		panic("a count is lost")
	}
}

// lockOrderMap locks all shards of a table in the order of a map, which is another one each time.
func lockOrderMap(context.Context) {
	shards := map[string]*sync.Mutex{"a": {}, "b": {}}
	for range 2 {
		go func() {
			for _, shard := range shards {
				shard.Lock()
				defer shard.Unlock()
			}
		}()
	}
}

func lockOrderMapFixed(context.Context) {
	shards := map[string]*sync.Mutex{"a": {}, "b": {}}
	for range 2 {
		go func() {
			for _, name := range []string{"a", "b"} {
				shards[name].Lock()
				defer shards[name].Unlock()
			}
		}()
	}
}
