package fakes

import (
	"time"

	"github.com/snapstorm/snapstorm/sim"
)

// minimumResyncPeriod is the shortest that client-go accepts.
const minimumResyncPeriod = time.Second

// setPeriod gives a listener its resync period as client-go would: not below
// the minimum; a short one speeds up the informer's checks until it runs, and
// is stretched afterwards; an informer without checks does none at all.
func (i *Informer) setPeriod(l *listener, period time.Duration) {
	if period > 0 {
		period = max(period, minimumResyncPeriod)
		if !i.started && period < i.check {
			i.check = period
		}
		period = max(period, i.check)
	}
	if i.check == 0 {
		period = 0
	}
	l.period = period
	l.nextResync = time.Now().Add(period)
}

// startClock counts the time until the next check for resyncs from now on, as
// client-go does with each list. A task opens the table's gate each time that
// a check is due.
func (s *stream) startClock() {
	check := s.informer.check
	if check == 0 {
		return
	}
	if s.clock != nil {
		close(s.clock)
	}
	clock, due := make(chan struct{}), time.Now().Add(check)
	s.clock, s.nextCheck = clock, due
	sim.Go(s.informer.resource()+" resync clock", func() {
		for nap(due, s.stop) && !closed(clock) {
			due = due.Add(check)
			s.informer.table.grown.Open()
		}
	})
}

// resyncDue recomputes which listeners are syncing, when a check is due.
func (s *stream) resyncDue() bool {
	if s.informer.check == 0 || time.Now().Before(s.nextCheck) {
		return false
	}
	s.nextCheck = s.nextCheck.Add(s.informer.check)
	return s.informer.markSyncing(time.Now())
}

func (i *Informer) markSyncing(now time.Time) (any bool) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	for _, l := range i.listeners {
		l.syncing = l.period > 0 && !now.Before(l.nextResync)
		if l.syncing {
			l.nextResync = now.Add(l.period)
			any = true
		}
	}
	return any
}

// resync delivers every cached object once more, old and new being the same.
func (i *Informer) resync() {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.changed()
	for _, o := range i.index.List() {
		n := i.modification(o.(object), o.(object))
		n.why = fromResync
		i.distribute(n)
	}
	i.cluster.count(func(s *Stats) { s.Resyncs++ })
}
