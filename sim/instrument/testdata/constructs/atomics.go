package constructs

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type counters struct {
	n    atomic.Int64
	p    *atomic.Bool
	ptr  atomic.Pointer[int]
	old  int32
	seen sync.Map
}

func atomics() string {
	c := &counters{p: new(atomic.Bool)}
	c.n.Add(2)
	c.p.Store(true)
	one := 1
	c.ptr.Store(&one)
	atomic.AddInt32(&c.old, 3)
	swapped := atomic.CompareAndSwapInt32(
		&c.old,
		3,
		4,
	)
	c.seen.Store("a", 1)
	v, loaded := c.seen.LoadOrStore("a", 2)
	count := 0
	c.seen.Range(func(k, v any) bool { count++; return true })
	defer c.n.Store(0)
	return fmt.Sprint(c.n.Load(), c.p.Load(), *c.ptr.Load(), swapped, atomic.LoadInt32(&c.old), v, loaded, count)
}
