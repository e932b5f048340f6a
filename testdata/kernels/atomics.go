package kernels

import (
	"context"
	"sync"
	"sync/atomic"
)

var atomics = []Kernel{
	{Name: "atomic-check-then-act", Class: "atomics", Want: "panic", Bug: checkThenAct, Fixed: checkThenActFixed},
	{Name: "atomic-lost-update", Class: "atomics", Want: "panic", Bug: lostUpdate, Fixed: lostUpdateFixed},
	{Name: "atomic-aba", Class: "atomics", Want: "panic", Bug: staleClaim, Fixed: staleClaimFixed},
	{Name: "atomic-torn-pair", Class: "atomics", Want: "panic", Bug: tornPair, Fixed: tornPairFixed},
	{Name: "atomic-revived", Class: "atomics", Want: "panic", Bug: revived, Fixed: revivedFixed},
	{Name: "atomic-published-early", Class: "atomics", Want: "panic", Bug: publishedEarly, Fixed: publishedEarlyFixed},
	{Name: "sync-map-load-store", Class: "atomics", Want: "panic", Bug: syncMapLoadStore, Fixed: syncMapLoadStoreFixed},
}

// checkThenAct admits a request by a look at the counter and a later increment.
func checkThenAct(context.Context) {
	admitTwo(func(inFlight *atomic.Int64) bool {
		if inFlight.Load() >= 1 {
			return false
		}
		inFlight.Add(1)
		return true
	})
}

func checkThenActFixed(context.Context) {
	admitTwo(func(inFlight *atomic.Int64) bool {
		if inFlight.Add(1) > 1 {
			inFlight.Add(-1)
			return false
		}
		return true
	})
}

func admitTwo(admit func(*atomic.Int64) bool) {
	var inFlight, serving atomic.Int64
	for range 2 {
		go func() {
			if !admit(&inFlight) {
				return
			}
			if serving.Add(1) > 1 {
				panic("two requests in flight, and the limit is one")
			}
			serving.Add(-1)
			inFlight.Add(-1)
		}()
	}
}

// lostUpdate counts retries by a Load and a Store.
func lostUpdate(context.Context) {
	countTwo(func(n *atomic.Int64) {
		old := n.Load()
		n.Store(old + 1)
	})
}

func lostUpdateFixed(context.Context) {
	countTwo(func(n *atomic.Int64) { n.Add(1) })
}

func countTwo(count func(*atomic.Int64)) {
	var retries atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { count(&retries) })
	}
	wg.Wait()
	if n := retries.Load(); n != 2 {
		panic("a retry was not counted")
	}
}

// staleClaim finds the quota as free as it was when it looked, and misses that somebody had it in between.
func staleClaim(context.Context) { claimTwo(&quota{}) }

func staleClaimFixed(context.Context) { claimTwo(&quota{step: 2}) }

// quota is free while state is even. A step of 0 sets it back to what it was, so that it does not show who had it.
type quota struct {
	state, value atomic.Int64
	step         int64
}

func claimTwo(q *quota) {
	go func() {
		if q.state.CompareAndSwap(0, 1) {
			q.value.Store(5)
			q.state.Store(q.step)
		}
	}()
	before, value := q.state.Load(), q.value.Load()
	if before%2 == 0 && q.state.CompareAndSwap(before, before+1) {
		if q.value.Load() != value {
			panic("claimed by a quota that has changed since")
		}
		q.state.Store(before + q.step)
	}
}

// tornPair reads a sum and a count that are stored one after the other.
func tornPair(context.Context) {
	var sum, count atomic.Int64
	go func() {
		sum.Add(10)
		count.Add(1)
	}()
	mustBeTens(sum.Load(), count.Load())
}

func tornPairFixed(context.Context) {
	var both atomic.Pointer[[2]int64]
	both.Store(&[2]int64{})
	go func() { both.Store(&[2]int64{10, 1}) }()
	p := both.Load()
	mustBeTens(p[0], p[1])
}

func mustBeTens(sum, count int64) {
	if sum != 10*count {
		panic("the mean latency is wrong")
	}
}

// revived takes a reference to a session whose last reference has just gone.
func revived(context.Context) {
	useSession(func(refs *atomic.Int64) bool { refs.Add(1); return true })
}

func revivedFixed(context.Context) {
	useSession(func(refs *atomic.Int64) bool {
		for {
			n := refs.Load()
			if n == 0 {
				return false
			}
			if refs.CompareAndSwap(n, n+1) {
				return true
			}
		}
	})
}

func useSession(acquire func(*atomic.Int64) bool) {
	var refs atomic.Int64
	var closed atomic.Bool
	refs.Store(1)
	release := func() {
		if refs.Add(-1) == 0 {
			closed.Store(true)
		}
	}
	go release()
	if acquire(&refs) {
		if closed.Load() {
			panic("a closed session was used")
		}
		release()
	}
}

// publishedEarly puts a route into the table before it knows its backend.
func publishedEarly(context.Context) {
	addRoute(func(table *atomic.Pointer[route]) {
		r := &route{}
		table.Store(r)
		r.backend.Store(&[]string{"10.0.0.1"})
	})
}

func publishedEarlyFixed(context.Context) {
	addRoute(func(table *atomic.Pointer[route]) {
		r := &route{}
		r.backend.Store(&[]string{"10.0.0.1"})
		table.Store(r)
	})
}

type route struct{ backend atomic.Pointer[[]string] }

func addRoute(add func(*atomic.Pointer[route])) {
	var table atomic.Pointer[route]
	go add(&table)
	if r := table.Load(); r != nil {
		_ = (*r.backend.Load())[0]
	}
}

// syncMapLoadStore opens a session when there is none, in two steps.
func syncMapLoadStore(context.Context) {
	openTwo(func(m *sync.Map, s *route) *route {
		if old, ok := m.Load("client"); ok {
			return old.(*route)
		}
		m.Store("client", s)
		return s
	})
}

func syncMapLoadStoreFixed(context.Context) {
	openTwo(func(m *sync.Map, s *route) *route {
		actual, _ := m.LoadOrStore("client", s)
		return actual.(*route)
	})
}

func openTwo(open func(*sync.Map, *route) *route) {
	var m sync.Map
	got := make(chan *route, 2)
	for range 2 {
		go func() { got <- open(&m, new(route)) }()
	}
	if a, b := <-got, <-got; a != b {
		panic("one client has two sessions")
	}
}
