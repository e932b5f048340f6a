package kernels

import (
	"context"
	"errors"
	"runtime"
	"sync"
)

var leaks = []Kernel{
	{Name: "walk-abandoned", Class: "leaks", Want: "stuck", Bug: walkAbandoned, Fixed: walkAbandonedFixed},
	{Name: "unsubscribed-not-closed", Class: "leaks", Want: "leak", Bug: unsubscribedNotClosed, Fixed: unsubscribedNotClosedFixed},
	{Name: "done-skipped-on-error", Class: "leaks", Want: "leak", Bug: doneSkippedOnError, Fixed: doneSkippedOnErrorFixed},
	{Name: "stop-signals-one", Class: "leaks", Want: "leak", Bug: stopSignalsOne, Fixed: stopSignalsOneFixed},
	{Name: "watch-per-request", Class: "leaks", Want: "leak", Bug: watchPerRequest, Fixed: watchPerRequestFixed},
	{Name: "nested-submit", Class: "channels", Want: "stuck", Bug: nestedSubmit, Fixed: nestedSubmitFixed},
	{Name: "no-answer-on-error", Class: "channels", Want: "leak", Bug: noAnswerOnError, Fixed: noAnswerOnErrorFixed},
	{Name: "after-you", Class: "livelocks", Want: "hang", MaxSteps: 5000, Bug: afterYou, Fixed: afterYouFixed},
	{Name: "recovered-elsewhere", Class: "panics", Want: "panic", Bug: recoveredElsewhere, Fixed: recoveredElsewhereFixed},
	{Name: "deferred-rollback-of-nil", Class: "panics", Want: "panic", Bug: deferredRollbackOfNil, Fixed: deferredRollbackOfNilFixed},
}

// walkAbandoned stops reading at the first match, and the walker waits to send the next one.
func walkAbandoned(context.Context) { findFirst(nil) }

func walkAbandonedFixed(context.Context) { findFirst(make(chan struct{})) }

func findFirst(found chan struct{}) {
	files := make(chan string)
	go func() {
		defer close(files)
		for _, f := range []string{"a", "b", "c"} {
			select {
			case files <- f:
			case <-found:
				return
			}
		}
	}()
	for f := range files {
		if f == "b" {
			break
		}
	}
	if found != nil {
		close(found)
	}
}

// unsubscribedNotClosed takes a subscriber off the list, and its loop waits for events for ever.
func unsubscribedNotClosed(context.Context) { listenAndLeave(func(chan string) {}) }

func unsubscribedNotClosedFixed(context.Context) {
	listenAndLeave(func(sub chan string) { close(sub) })
}

type subscribers struct {
	mu  sync.Mutex
	all map[string]chan string
}

func listenAndLeave(leave func(chan string)) {
	sub := make(chan string, 1)
	s := &subscribers{all: map[string]chan string{"ui": sub}}
	go func() {
		for range sub {
		}
	}()
	s.publish("updated")
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, "ui")
	leave(sub)
}

func (s *subscribers) publish(event string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all["ui"] <- event
}

// doneSkippedOnError returns early from a migration that fails, past the Done that is waited for.
func doneSkippedOnError(context.Context) {
	migrateAll(func(wg *sync.WaitGroup, migrate func() error) {
		if migrate() != nil {
			return
		}
		wg.Done()
	})
}

func doneSkippedOnErrorFixed(context.Context) {
	migrateAll(func(wg *sync.WaitGroup, migrate func() error) {
		defer wg.Done()
		if migrate() != nil {
			return
		}
	})
}

func migrateAll(run func(*sync.WaitGroup, func() error)) {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go run(&wg, func() error {
			if i == 1 {
				return errors.New("conflict")
			}
			return nil
		})
	}
	wg.Wait()
}

// stopSignalsOne wakes one of the two workers that wait for jobs when it stops both.
func stopSignalsOne(context.Context) { stopTwoWorkers(func(c *sync.Cond) { c.Signal() }) }

func stopSignalsOneFixed(context.Context) { stopTwoWorkers(func(c *sync.Cond) { c.Broadcast() }) }

func stopTwoWorkers(wake func(*sync.Cond)) {
	var mu sync.Mutex
	stopped, stop := sync.NewCond(&mu), false
	for range 2 {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			for !stop {
				stopped.Wait()
			}
		}()
	}
	mu.Lock()
	defer mu.Unlock()
	stop = true
	wake(stopped)
}

// watchPerRequest watches for the end of each request with a goroutine that only the end of the request's client ends.
func watchPerRequest(context.Context) { serveRequests(func(context.CancelFunc) {}) }

func watchPerRequestFixed(context.Context) { serveRequests(func(end context.CancelFunc) { end() }) }

func serveRequests(answered func(context.CancelFunc)) {
	for range 2 {
		request, end := context.WithCancel(context.Background())
		gone := make(chan struct{})
		go func() {
			<-request.Done()
			close(gone)
		}()
		answered(end)
	}
}

// nestedSubmit has tasks that submit to the pool they run in: once all workers do so, nobody is left to take one.
func nestedSubmit(ctx context.Context) {
	fanOut(ctx, func(p taskPool, task func()) { p <- task })
}

func nestedSubmitFixed(ctx context.Context) {
	fanOut(ctx, func(p taskPool, task func()) {
		select {
		case p <- task:
		default:
			task()
		}
	})
}

type taskPool chan func()

func fanOut(ctx context.Context, submit func(taskPool, func())) {
	p := make(taskPool)
	for range 2 {
		go p.work(ctx)
	}
	for range 2 {
		p <- func() { submit(p, func() {}) }
	}
}

func (p taskPool) work(ctx context.Context) {
	for {
		select {
		case task := <-p:
			task()
		case <-ctx.Done():
			return
		}
	}
}

// noAnswerOnError waits for an answer for each manifest, but a bad one ends its validation without any.
func noAnswerOnError(context.Context) {
	admit(func(manifest string, answers chan<- bool) {
		if manifest == "" {
			return
		}
		answers <- true
	})
}

func noAnswerOnErrorFixed(context.Context) {
	admit(func(manifest string, answers chan<- bool) { answers <- manifest != "" })
}

func admit(validate func(string, chan<- bool)) {
	answers := make(chan bool)
	manifests := []string{"pod", ""}
	for _, m := range manifests {
		go validate(m, answers)
	}
	for range manifests {
		<-answers
	}
}

// afterYou hands the turn to the other replica as long as that has work, and so does the other one.
func afterYou(context.Context) { takeTurns(func(other, _ int) bool { return true }) }

func afterYouFixed(context.Context) { takeTurns(func(other, me int) bool { return other < me }) }

type turns struct {
	mu   sync.Mutex
	turn int
	work [2]bool
}

func takeTurns(yields func(other, me int) bool) {
	t := &turns{work: [2]bool{true, true}}
	for me := range 2 {
		go func() {
			for !t.tryWork(me, yields) {
				runtime.Gosched()
			}
		}()
	}
}

func (t *turns) tryWork(me int, yields func(other, me int) bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	other := 1 - me
	if t.turn != me {
		return false
	}
	if t.work[other] && yields(other, me) {
		t.turn = other
		return false
	}
	t.work[me], t.turn = false, other
	return true
}

// recoveredElsewhere recovers in the server, but the request panics on a goroutine of its own.
func recoveredElsewhere(context.Context) {
	handleOne(func(request func()) { request() })
}

func recoveredElsewhereFixed(context.Context) {
	handleOne(func(request func()) {
		defer func() { _ = recover() }()
		request()
	})
}

func handleOne(run func(func())) {
	defer func() { _ = recover() }()
	var labels map[string]string
	handled := make(chan struct{})
	go func() {
		defer close(handled)
		run(func() { labels["app"] = "web" })
	}()
	<-handled
}

// deferredRollbackOfNil defers the rollback of a transaction before it knows that there is one.
func deferredRollbackOfNil(context.Context) {
	storeTwo(func(s *txStore) {
		tx, err := s.begin()
		defer func() { tx.rollback() }()
		if err != nil {
			return
		}
	})
}

func deferredRollbackOfNilFixed(context.Context) {
	storeTwo(func(s *txStore) {
		tx, err := s.begin()
		if err != nil {
			return
		}
		defer func() { tx.rollback() }()
	})
}

type txStore struct {
	mu   sync.Mutex
	open *tx
}

type tx struct{ store *txStore }

func storeTwo(store func(*txStore)) {
	var s txStore
	go store(&s)
	store(&s)
}

func (s *txStore) begin() (*tx, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil {
		return nil, errors.New("another transaction is open")
	}
	s.open = &tx{s}
	return s.open, nil
}

func (t *tx) rollback() {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	t.store.open = nil
}
