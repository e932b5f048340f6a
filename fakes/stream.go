package fakes

import (
	"context"
	"math"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/snapstorm/snapstorm/sim"
)

// relistBackoff is the shortest time between a broken stream and the list that
// follows it, as in client-go.
const relistBackoff = 800 * time.Millisecond

// stream is what an informer does while it runs: a list, then changes, now and
// then a relist or a resync.
type stream struct {
	informer  *Informer
	stop      <-chan struct{}
	position  int // of the next change
	relists   int // how many more there may be
	resyncs   int
	lags      int
	nextCheck time.Time
	clock     chan struct{} // closed when another one took over
}

// Run lists, follows the changes and serves the handlers until stop is closed.
// It returns when no handler is called any more. A second Run does nothing.
func (i *Informer) Run(stop <-chan struct{}) {
	starting, ok := i.begin()
	if !ok {
		klog.Background().Info("Warning: the sharedIndexInformer has started, run more than once is not allowed")
		return
	}
	defer i.end()
	for _, l := range starting {
		l.start()
	}
	faults := i.cluster.options.Faults
	s := &stream{informer: i, stop: stop, relists: faults.Relists, resyncs: faults.Resyncs, lags: faults.InformerLags}
	s.run()
}

// RunWithContext is Run until ctx ends.
func (i *Informer) RunWithContext(ctx context.Context) { i.Run(ctx.Done()) }

func (i *Informer) begin() (starting []*listener, ok bool) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	sim.Changed(i)
	if i.started {
		return nil, false
	}
	i.started = true
	for _, l := range i.listeners {
		l.started = true
	}
	return append(starting, i.listeners...), true
}

// end stops the listeners, and waits for the callbacks in flight.
func (i *Informer) end() {
	for _, l := range i.leave() {
		i.ended.Wait("callbacks in flight", math.MaxUint64, l.finished)
	}
}

func (i *Informer) leave() []*listener {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	sim.Changed(i)
	i.stopped = true
	left := i.listeners
	i.listeners = nil
	for _, l := range left {
		i.halt(l)
	}
	return left
}

func (s *stream) run() {
	if !s.list() {
		return
	}
	for {
		seen := s.informer.table.grown.Count()
		if !s.follow() {
			return
		}
		if !s.informer.table.grown.Wait(s.informer.resource()+" informer", seen, s.stop) {
			return
		}
	}
}

// follow handles what has happened until now; false when stopped.
func (s *stream) follow() bool {
	for !closed(s.stop) {
		if !s.reach() {
			return false
		}
		if s.resyncDue() {
			sim.Step("resync", s.informer.resource())
			s.informer.resync()
		}
		c, found := s.informer.cluster.changeAt(s.informer.table, s.position)
		if !found {
			return true
		}
		s.take(c)
	}
	return false
}

// reach waits until the API server can be reached; false when stopped. The
// watch is opened again then, and nothing is lost.
func (s *stream) reach() bool {
	for {
		until, away := s.informer.cluster.away()
		if !away {
			return true
		}
		if !nap(until, s.stop) {
			return false
		}
	}
}

// take handles the next change, or lets a fault come before it.
func (s *stream) take(c change) {
	switch s.disturbance(c) {
	case relisted:
		s.relists--
		s.relist()
	case resynced:
		s.resyncs--
		s.informer.resync()
	case streamLagged:
		s.lags--
		s.informer.cluster.lag(s.informer.resource()+" informer", s.stop)
	default:
		s.position++
		sim.Undivided(func() { s.informer.apply(c) })
	}
}

// disturbance is the point before a change is handled, and a choice as long as
// a fault may come.
func (s *stream) disturbance(c change) string {
	faults := []string{""}
	if s.relists > 0 {
		faults = append(faults, relisted)
	}
	if s.resyncs > 0 {
		faults = append(faults, resynced)
	}
	if s.lags > 0 {
		faults = append(faults, streamLagged)
	}
	what := s.informer.resource() + " " + c.now.key
	if len(faults) == 1 {
		sim.Step("receive", what)
		return ""
	}
	return s.informer.cluster.pick("receive "+what, faults, unbounded)
}

// list fills the cache for the first time, from the present state or, after a
// restart, from an older one; false when stopped.
func (s *stream) list() bool {
	i := s.informer
	sim.Step("list", i.resource())
	if !s.reach() || closed(s.stop) {
		return false
	}
	records, revision := s.listing(s.lag())
	sim.Undivided(func() { i.replace(records, revision, true) })
	s.startClock()
	sim.Effect("list", i.resource(), revision)
	return true
}

// listing returns the states of lag changes ago, and lets the stream go on
// from there.
func (s *stream) listing(lag int) ([]*record, int64) {
	c, t := s.informer.cluster, s.informer.table
	c.lock.Lock()
	present, end, revision := t.all(), t.end(), c.present()
	undone := make([]change, 0, lag)
	for at := end - lag; at < end; at++ {
		undo, _ := t.at(at)
		undone = append(undone, undo)
	}
	c.lock.Unlock()
	s.position = end - lag
	if lag > 0 {
		revision = undone[0].now.revision - 1
	}
	return past(present, undone), revision
}

// lag asks how many changes the first list is behind: none, or after a restart
// one, two, four and so on, or all since the first incarnation began.
func (s *stream) lag() int {
	i, c := s.informer, s.informer.cluster
	c.lock.Lock()
	most := i.table.end() - i.table.after(c.setUpRevision())
	c.lock.Unlock()
	if !i.restarted || most == 0 || c.Stats().StaleLists >= c.options.Faults.StaleLists {
		return 0
	}
	lags := []int{0}
	for lag := 1; lag < most; lag *= 2 {
		lags = append(lags, lag)
	}
	lags = append(lags, most)
	lag := lags[c.ask("list "+i.resource()+": how old", len(lags), c.options.Faults.Rare)]
	if lag > 0 {
		c.count(func(s *Stats) { s.StaleLists++ })
		sim.Answered(staleList)
		sim.Occurred(staleList, 1)
	}
	return lag
}

// relist is what follows a broken stream: after a while a new list, which
// hides the changes in between.
func (s *stream) relist() {
	i := s.informer
	i.reportBroken()
	if !nap(time.Now().Add(relistBackoff), s.stop) || !s.reach() {
		return
	}
	sim.Step("list", i.resource())
	records, revision := s.listing(0)
	sim.Undivided(func() { i.replace(records, revision, false) })
	s.startClock()
	i.cluster.count(func(s *Stats) { s.Relists++ })
	sim.Effect("list", i.resource(), revision)
}

// reportBroken tells the program's watch error handler, if it has set one.
func (i *Informer) reportBroken() {
	if i.watchError == nil {
		return
	}
	r := cache.NewNamedReflector(i.resource(), &cache.ListWatch{}, i.table.kind.fresh(), i.index, 0)
	i.watchError(context.Background(), r, apierrors.NewResourceExpired("too old resource version"))
}
