package kernels

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// lateAdd adds to the group in the worker, so that Wait may come before it.
func lateAdd(context.Context) {
	var wg sync.WaitGroup
	var synced atomic.Bool
	go addAndSync(&wg, &synced)
	mustBeSynced(&wg, &synced)
}

func addAndSync(wg *sync.WaitGroup, synced *atomic.Bool) {
	wg.Add(1)
	defer wg.Done()
	synced.Store(true)
}

func lateAddFixed(context.Context) {
	var wg sync.WaitGroup
	var synced atomic.Bool
	wg.Add(1)
	go func() {
		defer wg.Done()
		synced.Store(true)
	}()
	mustBeSynced(&wg, &synced)
}

func mustBeSynced(wg *sync.WaitGroup, synced *atomic.Bool) {
	wg.Wait()
	if !synced.Load() {
		panic("started before the caches were synced")
	}
}

var errDial = errors.New("no route")

// groupNegative counts a failed worker down in its error path and in its defer.
func groupNegative(context.Context) { dialAll(func(wg *sync.WaitGroup, _ error) { wg.Done() }) }

func groupNegativeFixed(context.Context) { dialAll(func(*sync.WaitGroup, error) {}) }

func dialAll(failed func(*sync.WaitGroup, error)) {
	var wg sync.WaitGroup
	wg.Add(2)
	for _, err := range []error{nil, errDial} {
		go func() {
			defer wg.Done()
			if err != nil {
				failed(&wg, err)
			}
		}()
	}
	wg.Wait()
}

// groupReused begins the second batch on the group that somebody is still to wait on for the first one.
func groupReused(context.Context) {
	var batch sync.WaitGroup
	twoBatches(&batch, &batch)
}

func groupReusedFixed(context.Context) {
	var first, second sync.WaitGroup
	twoBatches(&first, &second)
}

func twoBatches(first, second *sync.WaitGroup) {
	reported := make(chan struct{})
	first.Add(1)
	go func() {
		first.Done()
		second.Add(1)
		defer second.Done()
		<-reported // the second batch begins when the first has been reported
	}()
	first.Wait()
	close(reported)
}

// doneMissing returns from a worker on an error without Done.
func doneMissing(context.Context) {
	probeAll(func(wg *sync.WaitGroup, err error) error {
		if err != nil {
			return err
		}
		wg.Done()
		return nil
	})
}

func doneMissingFixed(context.Context) {
	probeAll(func(wg *sync.WaitGroup, err error) error {
		defer wg.Done()
		return err
	})
}

func probeAll(probe func(*sync.WaitGroup, error) error) {
	var wg sync.WaitGroup
	for _, err := range []error{nil, errDial} {
		wg.Add(1)
		go probe(&wg, err)
	}
	wg.Wait()
}

// waitUnderLock waits for workers under the lock that they report their results with.
func waitUnderLock(context.Context) {
	collect(func(mu *sync.Mutex, wg *sync.WaitGroup) {
		mu.Lock()
		defer mu.Unlock()
		wg.Wait()
	})
}

func waitUnderLockFixed(context.Context) {
	collect(func(mu *sync.Mutex, wg *sync.WaitGroup) {
		wg.Wait()
		mu.Lock()
		defer mu.Unlock()
	})
}

func collect(wait func(*sync.Mutex, *sync.WaitGroup)) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var results []int
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			results = append(results, i)
		}()
	}
	wait(&mu, &wg)
}

// onceReentered loads the defaults from a function that asks for the defaults.
func onceReentered(context.Context) {
	var c lazyConfig
	c.get(func() string { return c.get(nil) + "/v1" })
}

func onceReenteredFixed(context.Context) {
	var c lazyConfig
	c.get(func() string { return "base" + "/v1" })
}

type lazyConfig struct {
	once sync.Once
	path string
}

func (c *lazyConfig) get(load func() string) string {
	c.once.Do(func() { c.path = load() })
	return c.path
}

// onceFailed connects once, and when that was too early, nobody ever connects.
func onceFailed(context.Context) { dialTwice(&onceDialer{}) }

func onceFailedFixed(context.Context) { dialTwice(&retryDialer{}) }

type onceDialer struct {
	once sync.Once
	conn *atomic.Int64
}

func (d *onceDialer) dial(server *atomic.Pointer[atomic.Int64]) *atomic.Int64 {
	d.once.Do(func() { d.conn = server.Load() })
	return d.conn
}

type retryDialer struct {
	mu   sync.Mutex
	conn *atomic.Int64
}

func (d *retryDialer) dial(server *atomic.Pointer[atomic.Int64]) *atomic.Int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn == nil {
		d.conn = server.Load()
	}
	return d.conn
}

func dialTwice(d interface {
	dial(*atomic.Pointer[atomic.Int64]) *atomic.Int64
}) {
	var server atomic.Pointer[atomic.Int64]
	up := make(chan struct{})
	go func() {
		server.Store(new(atomic.Int64))
		close(up)
	}()
	go d.dial(&server) // a health check, which may come early
	<-up
	d.dial(&server).Add(1)
}
