package fakes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/snapstorm/snapstorm/sim"
)

// Informer is a cache.SharedIndexInformer over a cluster. Besides the plain
// stream of events it does what its cluster's Faults allow. Run works on its
// caller's task; each handler is served by a task of its own.
type Informer struct {
	cluster   *Cluster
	table     *table
	restarted bool
	index     sortedIndexer
	synced    chan struct{}
	ended     sim.Gate // opens with each listener that has ended

	// The mutex is held while an event goes into the store and the queues,
	// so that a late handler joins between two events.
	mutex      sync.Mutex
	listeners  []*listener
	handlers   int // how many there ever were
	requested  bool
	started    bool
	stopped    bool
	revision   int64
	lists      int           // so far
	check      time.Duration // how often resyncs are looked for; zero is never
	transform  cache.TransformFunc
	watchError cache.WatchErrorHandlerWithContext
}

var _ cache.SharedIndexInformer = (*Informer)(nil)

func newInformer(c *Cluster, t *table, restarted bool) *Informer {
	return &Informer{
		cluster:   c,
		table:     t,
		restarted: restarted,
		index:     newSortedIndexer(),
		synced:    make(chan struct{}),
		check:     c.options.ResyncPeriod,
	}
}

func (i *Informer) resource() string { return i.table.kind.resource.Resource }

// AddEventHandler adds a handler with the informer's resync period.
func (i *Informer) AddEventHandler(h cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandlerWithOptions(h, cache.HandlerOptions{})
}

// AddEventHandlerWithResyncPeriod adds a handler with a resync period of its
// own; zero is none.
func (i *Informer) AddEventHandlerWithResyncPeriod(h cache.ResourceEventHandler, period time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandlerWithOptions(h, cache.HandlerOptions{ResyncPeriod: &period})
}

// AddEventHandlerWithOptions adds a handler. One that is added to a running
// informer first gets an add for each cached object.
func (i *Informer) AddEventHandlerWithOptions(h cache.ResourceEventHandler, o cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error) {
	period := i.cluster.options.ResyncPeriod
	if o.ResyncPeriod != nil {
		period = *o.ResyncPeriod
	}
	sim.Step("add handler", i.resource())
	l, running, err := i.join(h, period)
	if err != nil {
		return nil, err
	}
	if running {
		l.start()
	}
	return l, nil
}

func (i *Informer) join(h cache.ResourceEventHandler, period time.Duration) (l *listener, running bool, err error) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	sim.Changed(i)
	if i.stopped {
		return nil, false, fmt.Errorf("handler %v was not added to shared informer because it has stopped already", h)
	}
	l = newListener(i, h, i.handlers)
	i.handlers++
	i.setPeriod(l, period)
	i.listeners = append(i.listeners, l)
	if !i.started {
		return l, false, nil
	}
	l.started = true
	sim.Occurred(joinedLate, 1)
	for _, o := range i.index.List() {
		n := i.addition(o.(object), true)
		n.why = fromCache
		l.push(n)
	}
	if i.HasSynced() {
		sim.Changed(l.tracker)
		l.tracker.UpstreamHasSynced()
	}
	return l, true, nil
}

// RemoveEventHandler stops a handler: what is queued for it is lost. It does
// not wait for a callback in flight.
func (i *Informer) RemoveEventHandler(handle cache.ResourceEventHandlerRegistration) error {
	l, ok := handle.(*listener)
	if !ok {
		return fmt.Errorf("invalid key type %T", handle)
	}
	sim.Step("remove handler", i.resource())
	i.mutex.Lock()
	defer i.mutex.Unlock()
	sim.Changed(i)
	at := slices.Index(i.listeners, l)
	if at < 0 {
		return nil
	}
	i.listeners = slices.Delete(i.listeners, at, at+1)
	i.halt(l)
	return nil
}

// halt stops a listener; under the mutex.
func (i *Informer) halt(l *listener) {
	sim.ClosedNow(l.stop)
	close(l.stop)
	if !l.started {
		close(l.finished)
	}
}

// GetStore returns the cache. Its lists are in key order.
func (i *Informer) GetStore() cache.Store { return i.index }

// GetIndexer returns the cache. Its lists are in key order.
func (i *Informer) GetIndexer() cache.Indexer { return i.index }

// AddIndexers adds indexes to the cache.
func (i *Informer) AddIndexers(indexers cache.Indexers) error {
	if i.IsStopped() {
		return errors.New("indexer was not added because it has stopped already")
	}
	return i.index.AddIndexers(indexers)
}

// GetController returns a controller that only answers questions, as
// client-go's informers do.
func (i *Informer) GetController() cache.Controller { return controller{i} }

// HasSynced tells whether the initial list is in the cache. It says nothing of
// handlers.
func (i *Informer) HasSynced() bool { return closed(i.synced) }

// HasSyncedChecker is HasSynced for those who wait.
func (i *Informer) HasSyncedChecker() cache.DoneChecker { return informerSynced{i} }

// LastSyncResourceVersion returns the revision up to which the cache is.
func (i *Informer) LastSyncResourceVersion() string {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	sim.Looked(i)
	if !i.HasSynced() {
		return ""
	}
	return strconv.FormatInt(i.revision, 10)
}

// SetWatchErrorHandler sets what is called when the stream breaks.
func (i *Informer) SetWatchErrorHandler(h cache.WatchErrorHandler) error {
	return i.SetWatchErrorHandlerWithContext(func(_ context.Context, r *cache.Reflector, err error) { h(r, err) })
}

// SetWatchErrorHandlerWithContext sets what is called when the stream breaks.
func (i *Informer) SetWatchErrorHandlerWithContext(h cache.WatchErrorHandlerWithContext) error {
	return i.configure(func() { i.watchError = h })
}

// SetTransform sets what is done to a copy of each object before it is cached.
func (i *Informer) SetTransform(f cache.TransformFunc) error {
	return i.configure(func() { i.transform = f })
}

func (i *Informer) configure(set func()) error {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	sim.Changed(i)
	if i.started {
		return errors.New("informer has already started")
	}
	set()
	return nil
}

// IsStopped tells whether Run is over or about to be.
func (i *Informer) IsStopped() bool {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	sim.Looked(i)
	return i.stopped
}

// wanted tells whether somebody asked for the informer and it does not run.
func (i *Informer) wanted() bool {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	sim.Looked(i)
	return i.requested && !i.started
}

type informerSynced struct{ i *Informer }

func (s informerSynced) Name() string {
	return fmt.Sprintf("SharedIndexInformer %T", s.i.table.kind.fresh())
}

func (s informerSynced) Done() <-chan struct{} { return s.i.synced }

type controller struct{ i *Informer }

func (controller) RunWithContext(context.Context)        {}
func (controller) Run(<-chan struct{})                   {}
func (c controller) HasSynced() bool                     { return c.i.HasSynced() }
func (c controller) HasSyncedChecker() cache.DoneChecker { return c.i.HasSyncedChecker() }
func (c controller) LastSyncResourceVersion() string     { return c.i.LastSyncResourceVersion() }
