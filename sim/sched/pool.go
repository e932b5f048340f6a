package sched

import "unsafe"

// pool is what a world keeps of a sync.Pool. The native one is of no use here: what it gives out depends on the processor,
// and under -race it drops some things at random.
type pool struct{ items []*pooled }

type pooled struct {
	value any
	edge  byte // its address orders what was done before the Put ahead of what comes after the Get
}

// Pool puts v into the pool at p.
func (t *Task) Pool(p unsafe.Pointer, v any) {
	item := &pooled{value: v}
	release(unsafe.Pointer(&item.edge))
	t.keep(p, item)
}

//go:norace
func (t *Task) keep(p unsafe.Pointer, item *pooled) {
	t.world.use(p, Writes)
	all := poolAt(p)
	all.items = push(all.items, item)
}

// Unpool takes the value that was put last into the pool at p out of it, or nil if there is none.
func (t *Task) Unpool(p unsafe.Pointer) any {
	item := t.pick(p)
	if item == nil {
		return nil
	}
	acquire(unsafe.Pointer(&item.edge))
	return item.take()
}

//go:norace
func (t *Task) pick(p unsafe.Pointer) *pooled {
	t.world.use(p, Writes)
	all := poolAt(p)
	last := len(all.items) - 1
	if last < 0 {
		return nil
	}
	item := all.items[last]
	all.items[last] = nil
	all.items = all.items[:last]
	return item
}

//go:norace
func (i *pooled) take() any { return i.value }

//go:norace
func poolAt(p unsafe.Pointer) *pool {
	o := active.object(p)
	all, ok := o.attached.(*pool)
	if !ok {
		all = &pool{}
		o.attached = all
	}
	return all
}
