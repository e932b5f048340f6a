package fakes

import (
	"context"
	"sync"
	"time"

	"github.com/snapstorm/snapstorm/sim"
)

// actor is a part of the control plane that looks after the objects of one
// table. Each object that needs care gets a task of its own, one at a time, so
// that a slow object delays no other.
type actor struct {
	name    string
	cluster *Cluster
	table   *table
	needs   func(object) bool                   // whether an object in this state needs care
	care    func(ctx context.Context, o object) // one round of it; it need not succeed

	mutex sync.Mutex
	busy  map[string]bool // keys that have a task; looked up, never listed
}

// run follows the changes of the table until ctx ends.
func (a *actor) run(ctx context.Context) {
	a.follow(ctx, a.table, func(o object) []string {
		return []string{a.table.kind.key(o.GetNamespace(), o.GetName())}
	})
}

// follow follows the changes of some table until ctx ends; keys are those of
// the actor's objects that a change may matter to.
func (a *actor) follow(ctx context.Context, t *table, keys func(object) []string) {
	a.cluster.follow(ctx, a.name, t, func(c change) {
		for _, key := range keys(c.now.object) {
			a.consider(ctx, key)
		}
	})
}

// follow shows the changes of a table to each, one by one, until ctx ends.
func (c *Cluster) follow(ctx context.Context, name string, t *table, each func(change)) {
	position := 0
	for ctx.Err() == nil {
		seen := t.grown.Count()
		for next, found := c.changeAt(t, position); found; next, found = c.changeAt(t, position) {
			position++
			each(next)
		}
		t.grown.Wait(name, seen, ctx.Done())
	}
}

// consider starts a task for an object that needs care and has none.
func (a *actor) consider(ctx context.Context, key string) {
	if a.claim(key) {
		sim.Go(a.name+" "+key, func() { a.work(ctx, key) })
	}
}

func (a *actor) claim(key string) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	r := a.cluster.look(a.table, key)
	if a.busy[key] || r == nil || !a.needs(r.object) {
		return false
	}
	if a.busy == nil {
		a.busy = map[string]bool{}
	}
	a.busy[key] = true
	return true
}

func (a *actor) work(ctx context.Context, key string) {
	for ctx.Err() == nil {
		o := a.next(key)
		if o == nil {
			return
		}
		a.care(ctx, o)
	}
}

// next returns the object if it still needs care, else it gives the key back.
// Both in one, or a change between them would be lost.
func (a *actor) next(key string) object {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	r := a.cluster.look(a.table, key)
	if r == nil || !a.needs(r.object) {
		delete(a.busy, key)
		return nil
	}
	return r.object
}

// pause takes the time that the scheduler chooses among delays, the first one
// being the usual.
func (c *Cluster) pause(label string, delays []time.Duration) {
	if len(delays) == 0 {
		return
	}
	if d := c.howLong(label, delays); d > 0 {
		sim.Sleep(d)
	}
}

// usually is the odds of what actors do: something else than the usual about
// once in so many times.
const usually = 3
