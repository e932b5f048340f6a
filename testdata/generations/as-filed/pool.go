package monitor

import (
	"context"
	"sync"
)

// poolWorkers is how many events are handled at the same time.
const poolWorkers = 100

// event says that an object was modified. Events of one queue are handled one
// at a time, in the order of their arrival.
type event struct {
	queue  string
	object any
}

// eventPool hands events to a fixed number of workers.
type eventPool struct {
	handle func(context.Context, any)
	wake   chan struct{}

	mu      sync.Mutex
	journal []event
	busy    map[string]bool
}

func newEventPool(handle func(context.Context, any)) *eventPool {
	return &eventPool{handle: handle, wake: make(chan struct{}), busy: make(map[string]bool)}
}

// add appends the event and wakes an idle worker. It waits until one is idle.
func (p *eventPool) add(ctx context.Context, e event) {
	p.mu.Lock()
	p.journal = append(p.journal, e)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	case <-ctx.Done():
	}
}

// run works until ctx ends and every worker has returned.
func (p *eventPool) run(ctx context.Context) {
	var workers sync.WaitGroup
	for range poolWorkers {
		workers.Go(func() { p.work(ctx) })
	}
	workers.Wait()
}

func (p *eventPool) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.wake:
		}
		for e, found := p.take(); found; e, found = p.take() {
			p.handle(ctx, e.object)
			p.done(e)
		}
	}
}

// take removes the first event whose queue is not busy, and makes it busy.
func (p *eventPool) take() (event, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, e := range p.journal {
		if !p.busy[e.queue] {
			p.journal = append(p.journal[:i:i], p.journal[i+1:]...)
			p.busy[e.queue] = true
			return e, true
		}
	}
	return event{}, false
}

func (p *eventPool) done(e event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.busy, e.queue)
}
