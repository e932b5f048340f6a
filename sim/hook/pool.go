package hook

import (
	"sync"
	"unsafe"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// emptyOdds is how rare it is that a pool has lost what it was given: once in so many Gets.
const emptyOdds = 20

// PoolGet is (*sync.Pool).Get. Inside a world it returns what was put last, or, as a choice, acts as if the garbage
// collector had just emptied the pool.
func PoolGet(p *sync.Pool, s *Site) any {
	s.Reach()
	t := sched.Enter(sched.Op{Kind: sched.Ask, Site: s, Verb: "lose the pool", N: 2, Rare: emptyOdds})
	if t == nil {
		return p.Get()
	}
	if t.Answer() == 0 {
		if v := t.Unpool(unsafe.Pointer(p)); v != nil {
			return v
		}
	}
	if p.New == nil {
		return nil
	}
	return p.New()
}

// PoolPut is (*sync.Pool).Put.
func PoolPut(p *sync.Pool, v any, s *Site) {
	s.Reach()
	t := sched.Enter(sched.Op{Kind: sched.Step, Site: s})
	switch {
	case t == nil:
		p.Put(v)
	case v != nil:
		t.Pool(unsafe.Pointer(p), v)
	}
}
