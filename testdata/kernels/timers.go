package kernels

import (
	"context"
	"sync"
	"time"
)

var timers = []Kernel{
	{Name: "stop-ignored", Class: "timers", Want: "panic", Bug: stopIgnored, Fixed: stopIgnoredFixed},
	{Name: "idle-timer-of-last-use", Class: "timers", Want: "panic", Bug: idleTimerOfLastUse, Fixed: idleTimerOfLastUseFixed},
	{Name: "drained-twice", Class: "timers", Want: "leak", Bug: drainedTwice, Fixed: drainedTwiceFixed},
	{Name: "ticker-ranged-over", Class: "timers", Want: "leak", Bug: tickerRangedOver, Fixed: tickerRangedOverFixed},
	{Name: "debounce-loses-last", Class: "timers", Want: "panic", Bug: debounceLosesLast, Fixed: debounceLosesLastFixed},
	{Name: "stale-expiry", Class: "timers", Want: "panic", Bug: staleExpiry, Fixed: staleExpiryFixed},
}

// stopIgnored stops the timer of a renewal and closes what it uses, although the renewal may have begun.
func stopIgnored(context.Context) { closeRenewed(func(*time.Timer, <-chan struct{}) {}) }

func stopIgnoredFixed(context.Context) {
	closeRenewed(func(t *time.Timer, renewed <-chan struct{}) { <-renewed })
}

func closeRenewed(stop func(*time.Timer, <-chan struct{})) {
	var l leaseStore
	renewed := make(chan struct{})
	t := time.AfterFunc(time.Second, func() {
		defer close(renewed)
		l.renew()
	})
	time.Sleep(time.Second)
	if !t.Stop() {
		stop(t, renewed)
	}
	l.close()
}

type leaseStore struct {
	mu     sync.Mutex
	closed bool
}

func (l *leaseStore) renew() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		panic("renewed in a closed store")
	}
}

func (l *leaseStore) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

// idleTimerOfLastUse closes a tunnel that was used again after its idle timer fired and before that got the lock.
func idleTimerOfLastUse(context.Context) { useWhenIdle(func(*tunnel) bool { return true }) }

func idleTimerOfLastUseFixed(context.Context) {
	useWhenIdle(func(t *tunnel) bool { return time.Since(t.used) >= time.Minute })
}

type tunnel struct {
	mu     sync.Mutex
	used   time.Time
	closed bool
	idle   *time.Timer
}

func useWhenIdle(expired func(*tunnel) bool) {
	t := &tunnel{used: time.Now()}
	t.mu.Lock()
	t.idle = time.AfterFunc(time.Minute, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.closed = expired(t)
	})
	t.mu.Unlock()
	time.Sleep(time.Minute)
	t.use()
	t.use()
}

func (t *tunnel) use() {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed && time.Since(t.used) < time.Minute:
		panic("the tunnel was closed right after it was used")
	case t.closed:
		return
	}
	t.used = time.Now()
	t.idle.Reset(time.Minute)
}

// drainedTwice drains a timer whose value the loop has received already, and waits for a second one.
func drainedTwice(context.Context) {
	resyncTwice(func(t *time.Timer) {
		if !t.Stop() {
			<-t.C
		}
		t.Reset(time.Second)
	})
}

func drainedTwiceFixed(context.Context) {
	resyncTwice(func(t *time.Timer) { t.Reset(time.Second) })
}

func resyncTwice(rearm func(*time.Timer)) {
	t := time.NewTimer(time.Second)
	defer t.Stop()
	for range 2 {
		<-t.C
		rearm(t)
	}
}

// tickerRangedOver stops a ticker to end the loop over its channel, but Stop does not close that.
func tickerRangedOver(context.Context) {
	t := time.NewTicker(time.Second)
	go func() {
		for range t.C {
		}
	}()
	time.Sleep(3 * time.Second)
	t.Stop()
}

func tickerRangedOverFixed(context.Context) {
	t := time.NewTicker(time.Second)
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-t.C:
			case <-stop:
				return
			}
		}
	}()
	time.Sleep(3 * time.Second)
	t.Stop()
	close(stop)
}

// debounceLosesLast takes an event that comes during a write for one that this write covers.
func debounceLosesLast(ctx context.Context) {
	writeLast(ctx, func(d *debouncer) {
		d.write(d.take(false))
		d.disarm()
	})
}

func debounceLosesLastFixed(ctx context.Context) {
	writeLast(ctx, func(d *debouncer) { d.write(d.take(true)) })
}

type debouncer struct {
	mu               sync.Mutex
	pending, written int
	armed            bool
	flush            func(*debouncer)
}

func writeLast(ctx context.Context, flush func(*debouncer)) {
	d := &debouncer{flush: flush}
	d.trigger(1)
	time.Sleep(time.Second)
	d.trigger(2)
	<-ctx.Done()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.written != 2 {
		panic("the last event was never written")
	}
}

func (d *debouncer) trigger(v int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pending = v
	if !d.armed {
		d.armed = true
		time.AfterFunc(time.Second, func() { d.flush(d) })
	}
}

func (d *debouncer) take(disarm bool) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.armed = d.armed && !disarm
	return d.pending
}

func (d *debouncer) write(v int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.written = max(d.written, v)
}

func (d *debouncer) disarm() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.armed = false
}

// staleExpiry has the timer of an entry that was replaced just as it expired remove the entry that replaced it.
func staleExpiry(ctx context.Context) {
	replaceAtExpiry(ctx, func(c *expiring, key string, _ *expiringEntry) { delete(c.entries, key) })
}

func staleExpiryFixed(ctx context.Context) {
	replaceAtExpiry(ctx, func(c *expiring, key string, e *expiringEntry) {
		if c.entries[key] == e {
			delete(c.entries, key)
		}
	})
}

const forever time.Duration = 0

type expiringEntry struct{ timer *time.Timer }

type expiring struct {
	mu      sync.Mutex
	entries map[string]*expiringEntry
	expire  func(*expiring, string, *expiringEntry)
}

func replaceAtExpiry(ctx context.Context, expire func(*expiring, string, *expiringEntry)) {
	c := &expiring{entries: map[string]*expiringEntry{}, expire: expire}
	c.set("token", time.Minute)
	time.Sleep(time.Minute)
	c.set("token", forever)
	<-ctx.Done()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries["token"] == nil {
		panic("a new token is gone with the old one")
	}
}

func (c *expiring) set(key string, ttl time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.entries[key]; old != nil {
		old.timer.Stop()
	}
	e := &expiringEntry{}
	c.entries[key] = e
	if ttl == forever {
		return
	}
	e.timer = time.AfterFunc(ttl, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.expire(c, key, e)
	})
}
