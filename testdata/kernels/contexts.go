package kernels

import (
	"context"
	"errors"
	"sync"
	"time"
)

var contexts = []Kernel{
	{Name: "child-of-nobody", Class: "contexts", Want: "leak", Bug: childOfNobody, Fixed: childOfNobodyFixed},
	{Name: "cancel-kept", Class: "contexts", Want: "leak", Bug: cancelKept, Fixed: cancelKeptFixed},
	{Name: "cancelled-by-helper", Class: "contexts", Want: "panic", Bug: cancelledByHelper, Fixed: cancelledByHelperFixed},
	{Name: "one-deadline-for-all", Class: "contexts", Want: "panic", Bug: oneDeadlineForAll, Fixed: oneDeadlineForAllFixed},
	{Name: "expired-for-clean-up", Class: "contexts", Want: "panic", Bug: expiredForCleanUp, Fixed: expiredForCleanUpFixed},
	{Name: "context-in-struct", Class: "contexts", Want: "panic", Bug: contextInStruct, Fixed: contextInStructFixed},
	{Name: "request-ends-background", Class: "contexts", Want: "panic", Bug: requestEndsBackground, Fixed: requestEndsBackgroundFixed},
	{Name: "retry-of-what-worked", Class: "contexts", Want: "panic", Bug: retryOfWhatWorked, Fixed: retryOfWhatWorkedFixed},
	{Name: "value-of-other-parent", Class: "contexts", Want: "panic", Bug: valueOfOtherParent, Fixed: valueOfOtherParentFixed},
}

// childOfNobody derives the worker's context from Background, which does not end when the program is told to.
func childOfNobody(context.Context) { keepAlive(context.Background()) }

func childOfNobodyFixed(ctx context.Context) { keepAlive(ctx) }

func keepAlive(parent context.Context) {
	ctx, cancel := context.WithCancel(parent)
	beats := make(chan error)
	go func() {
		defer cancel()
		select {
		case <-beats:
		case <-ctx.Done():
		}
	}()
}

// cancelKept ends a subscription without ending the goroutine that serves it.
func cancelKept(context.Context) { subscribeAndEnd(func(s *subscription) { s.ended = true }) }

func cancelKeptFixed(context.Context) {
	subscribeAndEnd(func(s *subscription) { s.ended = true; s.cancel() })
}

type subscription struct {
	ended  bool
	cancel context.CancelFunc
}

func subscribeAndEnd(end func(*subscription)) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &subscription{cancel: cancel}
	go func() { <-ctx.Done() }()
	end(s)
}

// cancelledByHelper returns a connection whose context the function that opened it has cancelled on its way out.
func cancelledByHelper(ctx context.Context) {
	useConnection(ctx, func(ctx context.Context) (*connection, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		return dial(ctx), func() {}
	})
}

func cancelledByHelperFixed(ctx context.Context) {
	useConnection(ctx, func(ctx context.Context) (*connection, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		return dial(ctx), cancel
	})
}

type connection struct{ requests, replies chan string }

func dial(ctx context.Context) *connection {
	c := &connection{make(chan string), make(chan string)}
	go func() {
		defer close(c.replies)
		select {
		case r := <-c.requests:
			c.replies <- r
		case <-ctx.Done():
		}
	}()
	return c
}

func useConnection(ctx context.Context, open func(context.Context) (*connection, context.CancelFunc)) {
	c, hangUp := open(ctx)
	defer hangUp()
	select {
	case c.requests <- "list":
		<-c.replies
	case <-c.replies:
		panic("the connection was closed before its first request")
	}
}

// oneDeadlineForAll shares one deadline among all attempts: once it is over, each later one fails at once.
func oneDeadlineForAll(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	retry(func() (context.Context, context.CancelFunc) { return ctx, func() {} })
}

func oneDeadlineForAllFixed(ctx context.Context) {
	retry(func() (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, 3*time.Second) })
}

func retry(budget func() (context.Context, context.CancelFunc)) {
	for attempt := range 10 {
		ctx, cancel := budget()
		err := provision(ctx, attempt)
		cancel()
		if err == nil {
			return
		}
	}
	panic("ten attempts, and none had time to work")
}

func provision(ctx context.Context, attempt int) error {
	select {
	case <-time.After(2 * time.Second):
	case <-ctx.Done():
		return ctx.Err()
	}
	if attempt == 0 {
		return errors.New("conflict")
	}
	return nil
}

// expiredForCleanUp gives the lease back with the context whose end is the reason to give it back.
func expiredForCleanUp(ctx context.Context) {
	leadUntilDone(ctx, func(ctx context.Context) context.Context { return ctx })
}

func expiredForCleanUpFixed(ctx context.Context) { leadUntilDone(ctx, context.WithoutCancel) }

func leadUntilDone(ctx context.Context, forCleanUp func(context.Context) context.Context) {
	l := make(leaseToken, 1)
	l <- "me"
	<-ctx.Done()
	l.release(forCleanUp(ctx))
	if len(l) > 0 {
		panic("the lease is still held")
	}
}

type leaseToken chan string

func (l leaseToken) release(ctx context.Context) {
	if ctx.Err() == nil {
		<-l
	}
}

// contextInStruct keeps the context of a request in its handler, where the next request replaces it.
func contextInStruct(ctx context.Context) {
	var h handler
	go h.serve(context.WithValue(ctx, tenant{}, "a"), "a")
	h.serve(context.WithValue(ctx, tenant{}, "b"), "b")
}

func contextInStructFixed(ctx context.Context) {
	go new(handler).serve(context.WithValue(ctx, tenant{}, "a"), "a")
	new(handler).serve(context.WithValue(ctx, tenant{}, "b"), "b")
}

type tenant struct{}

type handler struct {
	mu  sync.Mutex
	ctx context.Context
}

func (h *handler) serve(ctx context.Context, who string) {
	h.mu.Lock()
	h.ctx = ctx
	h.mu.Unlock()
	h.authorize(who)
}

func (h *handler) authorize(who string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Value(tenant{}) != who {
		panic("served in the name of another tenant")
	}
}

// requestEndsBackground goes on in the background with the context of a request that ends with its answer.
func requestEndsBackground(ctx context.Context) {
	answerAndAudit(ctx, func(ctx context.Context) context.Context { return ctx })
}

func requestEndsBackgroundFixed(ctx context.Context) { answerAndAudit(ctx, context.WithoutCancel) }

func answerAndAudit(ctx context.Context, background func(context.Context) context.Context) {
	request, answered := context.WithCancel(ctx)
	entries := make(chan string, 1)
	go writeEntry(background(request), entries)
	answered()
	if _, ok := <-entries; !ok {
		panic("the request was answered and never audited")
	}
}

func writeEntry(ctx context.Context, entries chan<- string) {
	defer close(entries)
	if ctx.Err() == nil {
		entries <- "created"
	}
}

// retryOfWhatWorked takes a time-out for a failure, but the answer was only late, and the volume is made twice.
func retryOfWhatWorked(ctx context.Context) { createVolume(ctx, []string{"v", "v-retry"}) }

func retryOfWhatWorkedFixed(ctx context.Context) { createVolume(ctx, []string{"v", "v"}) }

func createVolume(ctx context.Context, names []string) {
	var d driver
	for _, name := range names {
		if d.create(ctx, name) == nil {
			break
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.volumes) > 1 {
		panic("two volumes for one claim")
	}
}

type driver struct {
	mu      sync.Mutex
	volumes map[string]bool
}

func (d *driver) create(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	created := make(chan bool, 1)
	go func() {
		time.Sleep(time.Second)
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.volumes == nil {
			d.volumes = map[string]bool{}
		}
		d.volumes[name] = true
		created <- true
	}()
	select {
	case <-created:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// valueOfOtherParent hands the worker the server's context in place of the request's, which has the trace id.
func valueOfOtherParent(ctx context.Context) { traceRequest(ctx, ctx) }

func valueOfOtherParentFixed(ctx context.Context) {
	traceRequest(ctx, context.WithValue(ctx, traceID{}, "4711"))
}

type traceID struct{}

func traceRequest(server, request context.Context) {
	spans := make(chan any, 1)
	go func() { spans <- request.Value(traceID{}) }()
	select {
	case id := <-spans:
		if id == nil {
			panic("a span without a trace")
		}
	case <-server.Done():
	}
}
