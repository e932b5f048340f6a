package fakes

import (
	"time"

	"github.com/snapstorm/snapstorm/sim"
)

// fault asks the scheduler for one of the faults that are counted for the
// whole cluster, as long as fewer than bound have happened.
func (c *Cluster) fault(label, name string, bound int, counter func(*Stats) *int) bool {
	happened := c.Stats()
	return *counter(&happened) < bound && c.pick(label, []string{"", name}, func() bool { return c.use(bound, counter) }) != ""
}

// use counts one more of what is bounded for the whole cluster, if it still
// may happen: others may have been at the same question meanwhile.
func (c *Cluster) use(bound int, counter func(*Stats) *int) (may bool) {
	c.count(func(s *Stats) {
		if may = *counter(s) < bound; may {
			*counter(s)++
		}
	})
	return may
}

// pick asks which of several things happens, names it on the tape and counts
// it. The first is that nothing does; so it is, too, when the thing may not
// happen any more.
func (c *Cluster) pick(label string, names []string, may func() bool) string {
	if c.isCalm() {
		names = names[:1]
	}
	name := names[c.ask(label, len(names), c.options.Faults.Rare)]
	if name == "" || !may() {
		return ""
	}
	sim.Answered(name)
	sim.Occurred(name, 1)
	return name
}

// Calm ends all faults: from now on nothing goes wrong any more. What is wrong
// already, such as a call that is slow, takes its time.
func (c *Cluster) Calm() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.setCalm()
}

//go:norace
func (c *Cluster) setCalm() {
	sim.Changed(&c.calm)
	c.calm = true
}

func (c *Cluster) isCalm() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.readCalm()
}

//go:norace
func (c *Cluster) readCalm() bool {
	sim.Looked(&c.calm)
	return c.calm
}

// unbounded is for what is bounded by who asks.
func unbounded() bool { return true }

// The names of the faults and of what informers may do, for tapes and
// summaries.
const (
	relisted      = "relist"
	resynced      = "resync"
	staleList     = "stale first list"
	staleRead     = "stale read"
	watchEnded    = "watch ends early"
	compacted     = "history compacted"
	bookmarked    = "bookmark"
	handlerLagged = "handler lags"
	streamLagged  = "informer lags"

	tombstoned    = "relist: tombstone"
	unchanged     = "relist: update that changes nothing"
	skippedStates = "relist: states skipped"
	recreated     = "relist: another object of the same name as an update"
	foundNew      = "relist: add"
	behindCache   = "handler behind the cache"
	backlogLost   = "backlog lost at a stop"
	joinedLate    = "handler added late"
)

// lags are how long an informer or a handler may be kept waiting.
var lags = []time.Duration{100 * time.Millisecond, 2 * time.Second, 30 * time.Second}

// lag keeps an informer or a handler waiting.
func (c *Cluster) lag(who string, stop <-chan struct{}) {
	c.count(func(s *Stats) { s.Lags++ })
	nap(time.Now().Add(c.howLong(who+" lags", lags)), stop)
}

// howLong asks for one of several times, the first being the usual one.
func (c *Cluster) howLong(label string, times []time.Duration) time.Duration {
	d := times[c.ask(label+": how long", len(times), usually)]
	if len(times) > 1 {
		sim.Answered(d.String())
	}
	return d
}

// declare tells the summary what may occur in this cluster.
func (c *Cluster) declare() {
	f := c.options.Faults
	for _, name := range possibleMishaps(f) {
		if name != "" {
			sim.Occurred(name, 0)
		}
	}
	for _, fault := range []struct {
		name  string
		bound int
	}{
		{relisted, f.Relists}, {resynced, f.Resyncs}, {staleList, f.StaleLists}, {staleRead, f.StaleReads}, {watchEnded, f.WatchEnds},
		{compacted, f.Compactions}, {bookmarked, f.Bookmarks},
		{handlerLagged, f.HandlerLags}, {streamLagged, f.InformerLags},
	} {
		if fault.bound > 0 {
			sim.Occurred(fault.name, 0)
		}
	}
	for _, name := range []string{tombstoned, unchanged, skippedStates, recreated, foundNew} {
		if f.Relists > 0 {
			sim.Occurred(name, 0)
		}
	}
}
