package fakes

import (
	"fmt"
	"time"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/cache/synctrack"

	"github.com/snapstorm/snapstorm/sim"
)

// listener delivers an informer's events to one handler, one at a time and in
// order, on a task of its own. It is the handler's registration.
type listener struct {
	informer *Informer
	handler  cache.ResourceEventHandler
	number   int
	tracker  *synctrack.SingleFileTracker

	queue    queue
	filled   sim.Gate
	stop     chan struct{} // closed when no further event shall be delivered
	finished chan struct{} // closed when none will be
	started  bool
	lags     int // how often it may still be kept waiting
	judge    judge

	// The informer's mutex guards these. A listener that is not syncing does
	// not get updates to the same revision.
	syncing    bool
	period     time.Duration
	nextResync time.Time
}

func newListener(i *Informer, handler cache.ResourceEventHandler, number int) *listener {
	name := fmt.Sprintf("%s + event handler %T", i.HasSyncedChecker().Name(), handler)
	return &listener{
		informer: i,
		handler:  handler,
		number:   number,
		tracker:  synctrack.NewSingleFileTracker(name),
		stop:     make(chan struct{}),
		finished: make(chan struct{}),
		syncing:  true,
		lags:     i.cluster.options.Faults.HandlerLags,
		judge:    judge{had: i.had},
	}
}

// HasSynced tells whether the informer has synced and this handler has
// returned from all adds of the initial list.
func (l *listener) HasSynced() bool {
	sim.Looked(l.tracker)
	return l.tracker.HasSynced()
}

// HasSyncedChecker is HasSynced for those who wait.
func (l *listener) HasSyncedChecker() cache.DoneChecker { return l.tracker }

// ShutdownChan is closed when the handler will not be called again. It is what
// cache.ShutDownEventHandler waits for.
func (l *listener) ShutdownChan() <-chan struct{} { return l.finished }

// push queues a notification, and tells whether the handler will see it; under
// the informer's mutex.
func (l *listener) push(n *notification) bool {
	if n.same && !l.syncing {
		return false
	}
	if n.initial {
		sim.Changed(l.tracker)
		l.tracker.Start()
	}
	if l.queue.push(n) > 1 {
		sim.Occurred(behindCache, 1)
	}
	l.filled.Open()
	return true
}

// start begins the delivery. It must not be called under a lock.
func (l *listener) start() {
	sim.Go(fmt.Sprintf("%s handler %d", l.informer.resource(), l.number), l.run)
}

func (l *listener) run() {
	defer l.finish()
	for {
		seen := l.filled.Count()
		for n := l.next(); n != nil; n = l.next() {
			l.deliver(n)
		}
		if !l.filled.Wait(l.informer.resource()+" handler", seen, l.stop) {
			return
		}
	}
}

func (l *listener) finish() {
	if l.queue.pop() != nil {
		sim.Occurred(backlogLost, 1)
	}
	close(l.finished)
	l.informer.ended.Open()
}

// next takes the next notification. Once the listener is stopped there is
// none: what was queued is lost.
func (l *listener) next() *notification {
	if closed(l.stop) {
		return nil
	}
	return l.queue.pop()
}

func (l *listener) deliver(n *notification) {
	verb, what := "deliver "+n.verb, l.informer.resource()+" "+n.key
	if !l.begin(verb, what) {
		return
	}
	if breach := l.judge.begin(n); breach != "" {
		sim.Violated(contract, breach)
	}
	sim.Event(verb+" "+what, func() { l.call(n) })
	l.judge.end()
	sim.Effect(verb, what, n.revision)
	if n.initial {
		sim.Changed(l.tracker)
		l.tracker.Finished()
	}
	l.informer.cluster.count(func(s *Stats) { s.Deliveries++ })
}

// begin is the point before a delivery, and the choice whether it is late. It
// returns false if the listener was stopped meanwhile.
func (l *listener) begin(verb, what string) bool {
	if l.lags == 0 {
		sim.Step(verb, what)
		return true
	}
	c := l.informer.cluster
	if c.pick(verb+" "+what, []string{"", handlerLagged}, unbounded) == "" {
		return true
	}
	l.lags--
	c.lag(fmt.Sprintf("%s handler %d", l.informer.resource(), l.number), l.stop)
	return !closed(l.stop)
}

func (l *listener) call(n *notification) {
	switch n.verb {
	case "add":
		l.handler.OnAdd(n.new, n.initial)
	case "update":
		l.handler.OnUpdate(n.old, n.new)
	case "delete":
		l.handler.OnDelete(n.old)
	}
}

func closed(c <-chan struct{}) bool {
	sim.LookedIfClosed(c)
	select {
	case <-c:
		return true
	default:
		return false
	}
}
