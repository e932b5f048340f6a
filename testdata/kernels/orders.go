package kernels

import (
	"context"
	"sync"
	"sync/atomic"
)

var orders = []Kernel{
	{Name: "ready-before-loaded", Class: "orders", Want: "panic", Bug: readyBeforeLoaded, Fixed: readyBeforeLoadedFixed},
	{Name: "closed-between-senders", Class: "orders", Want: "panic", Bug: closedBetweenSenders, Fixed: closedBetweenSendersFixed},
	{Name: "store-closed-first", Class: "orders", Want: "panic", Bug: storeClosedFirst, Fixed: storeClosedFirstFixed},
	{Name: "told-before-listening", Class: "orders", Want: "leak", Bug: toldBeforeListening, Fixed: toldBeforeListeningFixed},
	{Name: "handler-after-start", Class: "orders", Want: "panic", Bug: handlerAfterStart, Fixed: handlerAfterStartFixed},
	{Name: "flushed-after-close", Class: "orders", Want: "panic", Bug: flushedAfterClose, Fixed: flushedAfterCloseFixed},
	{Name: "goroutine-per-update", Class: "orders", Want: "panic", Bug: goroutinePerUpdate, Fixed: goroutinePerUpdateFixed},
	{Name: "numbered-then-published", Class: "orders", Want: "panic", Bug: numberedThenPublished, Fixed: numberedThenPublishedFixed},
}

// readyBeforeLoaded says that it is ready when the loading has begun.
func readyBeforeLoaded(context.Context) {
	startIndex(func(x *index) { close(x.ready); x.load() })
}

func readyBeforeLoadedFixed(context.Context) {
	startIndex(func(x *index) { x.load(); close(x.ready) })
}

type index struct {
	mu    sync.Mutex
	nodes map[string]int
	ready chan struct{}
}

func startIndex(start func(*index)) {
	x := &index{ready: make(chan struct{})}
	go start(x)
	<-x.ready
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.nodes["node-1"] == 0 {
		panic("ready, and without nodes")
	}
}

func (x *index) load() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.nodes = map[string]int{"node-1": 1}
}

// closedBetweenSenders counts the senders as they begin, so that the first may take itself for the last.
func closedBetweenSenders(context.Context) { sendShards(0, func(n *atomic.Int32) { n.Add(1) }) }

func closedBetweenSendersFixed(context.Context) { sendShards(2, func(*atomic.Int32) {}) }

func sendShards(senders int32, begin func(*atomic.Int32)) {
	var open atomic.Int32
	open.Store(senders)
	rows := make(chan int, 2)
	for shard := range 2 {
		go func() {
			begin(&open)
			rows <- shard
			if open.Add(-1) == 0 {
				close(rows)
			}
		}()
	}
}

// storeClosedFirst closes the store, and then waits for the worker that still uses it.
func storeClosedFirst(context.Context) {
	shutDown(func(s *recordStore, worker *sync.WaitGroup) { s.close(); worker.Wait() })
}

func storeClosedFirstFixed(context.Context) {
	shutDown(func(s *recordStore, worker *sync.WaitGroup) { worker.Wait(); s.close() })
}

type recordStore struct {
	mu     sync.Mutex
	rows   int
	closed bool
}

func shutDown(end func(*recordStore, *sync.WaitGroup)) {
	var s recordStore
	var worker sync.WaitGroup
	worker.Go(s.put)
	end(&s, &worker)
}

func (s *recordStore) put() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		panic("the store is closed")
	}
	s.rows++
}

func (s *recordStore) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// toldBeforeListening tells those who listen at that moment; who comes later waits for news that is past.
func toldBeforeListening(context.Context) {
	electAndListen(func(*election, chan string) {})
}

func toldBeforeListeningFixed(context.Context) {
	electAndListen(func(e *election, l chan string) {
		if e.leader != "" {
			l <- e.leader
		}
	})
}

type election struct {
	mu        sync.Mutex
	leader    string
	listeners []chan string
}

func electAndListen(catchUp func(*election, chan string)) {
	var e election
	go e.win("a")
	l := make(chan string, 1)
	e.mu.Lock()
	e.listeners = append(e.listeners, l)
	catchUp(&e, l)
	e.mu.Unlock()
	<-l
}

func (e *election) win(who string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.leader = who
	for _, l := range e.listeners {
		l <- who
	}
}

// handlerAfterStart starts the source before its handler is there, and what comes between is handled by nobody.
func handlerAfterStart(context.Context) {
	countEvents(func(s *eventSource, handled *atomic.Int32) { s.start(); s.handle(handled) })
}

func handlerAfterStartFixed(context.Context) {
	countEvents(func(s *eventSource, handled *atomic.Int32) { s.handle(handled); s.start() })
}

type eventSource struct {
	mu      sync.Mutex
	handler *atomic.Int32
	feeder  sync.WaitGroup
}

func countEvents(setUp func(*eventSource, *atomic.Int32)) {
	var s eventSource
	var handled atomic.Int32
	setUp(&s, &handled)
	s.feeder.Wait()
	if handled.Load() != 2 {
		panic("an event was handled by nobody")
	}
}

func (s *eventSource) start() {
	s.feeder.Go(func() {
		s.deliver()
		s.deliver()
	})
}

func (s *eventSource) deliver() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handler != nil {
		s.handler.Add(1)
	}
}

func (s *eventSource) handle(counter *atomic.Int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handler = counter
}

// flushedAfterClose defers the flush first, so that it runs last, after the file is closed.
func flushedAfterClose(context.Context) {
	var l logFile
	defer l.flush()
	defer l.close()
	l.log("started")
}

func flushedAfterCloseFixed(context.Context) {
	var l logFile
	defer l.close()
	defer l.flush()
	l.log("started")
}

type logFile struct {
	mu     sync.Mutex
	lines  []string
	closed bool
}

func (l *logFile) log(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

func (l *logFile) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed && len(l.lines) > 0 {
		panic("lines are left for a closed file")
	}
	l.lines = nil
}

func (l *logFile) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

// goroutinePerUpdate sends each update from a goroutine of its own, so that the older one may come last.
func goroutinePerUpdate(context.Context) {
	sendUpdates(func(send func()) { go send() })
}

func goroutinePerUpdateFixed(context.Context) { sendUpdates(func(send func()) { send() }) }

func sendUpdates(do func(func())) {
	updates := make(chan int, 2)
	for version := range 2 {
		do(func() { updates <- version })
	}
	if first, second := <-updates, <-updates; first > second {
		panic("an old status replaces a newer one")
	}
}

// numberedThenPublished takes a version under the lock and publishes without: a later version may be published earlier.
func numberedThenPublished(context.Context) {
	publishTwice(func(r *revisions) { r.publish(r.next()) })
}

func numberedThenPublishedFixed(context.Context) {
	publishTwice(func(r *revisions) {
		r.order.Lock()
		defer r.order.Unlock()
		r.publish(r.next())
	})
}

type revisions struct {
	order           sync.Mutex
	mu              sync.Mutex
	last, published int
}

func publishTwice(publish func(*revisions)) {
	var r revisions
	go publish(&r)
	publish(&r)
}

func (r *revisions) next() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	return r.last
}

func (r *revisions) publish(version int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if version < r.published {
		panic("an older revision is published after a newer one")
	}
	r.published = version
}
