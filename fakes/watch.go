package fakes

import (
	"context"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/snapstorm/snapstorm/sim"
)

// watchLife is how long a watch lives that the server closes: the least time
// that clients usually ask for.
const watchLife = 5 * time.Minute

// watcher is a client's watch. It ends when the client stops it, when its
// context ends, when the process dies, or when the server closes it.
type watcher struct {
	caller   *caller
	table    *table
	selected selection
	position int   // of the next change
	revision int64 // what happened until then is known to the client
	initial  []watch.Event
	marked   bool        // the client takes bookmarks
	due      atomic.Bool // a bookmark is
	results  chan watch.Event
	ctx      context.Context
	cancel   context.CancelFunc
}

// ResultChan returns the channel of events. It is closed when the watch ends.
func (w *watcher) ResultChan() <-chan watch.Event { return w.results }

// Stop ends the watch.
func (w *watcher) Stop() { w.cancel() }

// watch opens a watch. Without a resourceVersion it starts with the present
// objects, else with what happened after that revision.
func (a *caller) watch(ctx context.Context, t *table, namespace string, opts metav1.ListOptions) (watch.Interface, error) {
	w := &watcher{caller: a, table: t, marked: opts.AllowWatchBookmarks, results: make(chan watch.Event, watch.DefaultChanSize)}
	if err := w.read(namespace, opts); err != nil {
		return nil, err
	}
	if w.revision > 0 {
		a.cluster.mayCompact(w.what(), w.revision+1)
	}
	_, err := a.call(ctx, "watch", t, namespace, func() (*record, error) { return w.begin(opts), nil })
	if err != nil {
		return nil, err
	}
	w.ctx, w.cancel = context.WithCancel(ctx)
	sim.Go(w.what(), w.run)
	if w.closesEarly() {
		sim.Go("end of "+w.what(), func() {
			nap(time.Now().Add(watchLife), w.ctx.Done())
			w.cancel()
		})
	}
	if w.marked && a.cluster.options.Faults.Bookmarks > 0 {
		sim.Go("bookmarks of "+w.what(), w.keepMarking)
	}
	return w, nil
}

func (w *watcher) what() string { return "watch " + w.table.kind.resource.Resource }

// read takes over the options.
func (w *watcher) read(namespace string, opts metav1.ListOptions) (err error) {
	if w.selected, err = newSelection(w.table.kind, namespace, opts, true); err != nil {
		return err
	}
	revision, err := parseRevision(opts.ResourceVersion)
	if err != nil {
		return unknown(err.Error()) // such is the server, though not for lists
	}
	if opts.SendInitialEvents == nil || !*opts.SendInitialEvents {
		w.revision = revision
	}
	return nil
}

// begin fixes where the watch starts; under the cluster's lock.
func (w *watcher) begin(opts metav1.ListOptions) *record {
	c := w.caller.cluster
	mark := &record{revision: c.present()}
	if w.revision > 0 {
		w.position = w.table.after(w.revision)
		if w.revision+1 < c.oldest() {
			w.initial = append(w.initial, tooOld())
		}
		return mark
	}
	if opts.SendInitialEvents == nil || *opts.SendInitialEvents {
		for _, r := range w.selected.filter(w.table.all()) {
			w.initial = append(w.initial, watch.Event{Type: watch.Added, Object: r.object})
		}
	}
	if opts.SendInitialEvents != nil && *opts.SendInitialEvents && w.marked {
		w.initial = append(w.initial, w.bookmark(mark.revision, map[string]string{metav1.InitialEventsAnnotationKey: "true"}))
	}
	w.position, w.revision = w.table.end(), mark.revision
	return mark
}

func (w *watcher) run() {
	defer close(w.results)
	defer w.cancel()
	for _, event := range w.initial {
		if !w.send(event) || event.Type == watch.Error {
			return
		}
	}
	for {
		seen := w.table.grown.Count()
		if !w.catchUp() || !w.mark() || !w.table.grown.Wait("watch", seen, w.ctx.Done()) {
			return
		}
	}
}

// catchUp sends all changes so far.
func (w *watcher) catchUp() bool {
	c := w.caller.cluster
	for {
		next, found := c.changeAt(w.table, w.position)
		if !found {
			return true
		}
		c.mayCompact(w.what(), next.now.revision)
		if c.forgotten(next.now.revision) {
			w.send(tooOld())
			return false
		}
		event, wanted := w.event(next)
		if wanted && next.now.revision > w.revision && !w.send(event) {
			return false
		}
		w.position++
		w.revision = max(w.revision, next.now.revision)
	}
}

// event is what the watch reports of a change: an object that no longer
// matches is gone for it, in the last state that did, and one that begins to
// match is new.
func (w *watcher) event(c change) (watch.Event, bool) {
	was, is := w.selected.matches(c.before), c.what != watch.Deleted && w.selected.matches(c.now)
	switch {
	case is && was:
		return watch.Event{Type: watch.Modified, Object: c.now.object}, true
	case is:
		return watch.Event{Type: watch.Added, Object: c.now.object}, true
	case was && c.what == watch.Deleted:
		return watch.Event{Type: watch.Deleted, Object: c.now.object}, true
	case was:
		last := c.before.object.DeepCopyObject().(object)
		last.SetResourceVersion(c.now.object.GetResourceVersion())
		return watch.Event{Type: watch.Deleted, Object: last}, true
	}
	return watch.Event{}, false
}

// send hands over a copy, as every watch decodes its own.
func (w *watcher) send(e watch.Event) bool {
	sim.Step("send "+string(e.Type), w.table.kind.resource.Resource)
	if w.caller.refuse(w.ctx) != nil {
		return false
	}
	e.Object = e.Object.DeepCopyObject()
	select {
	case w.results <- e:
		return true
	case <-w.ctx.Done():
		return false
	}
}

// closesEarly asks whether the server will close this watch.
func (w *watcher) closesEarly() bool {
	c := w.caller.cluster
	return c.fault(w.what(), watchEnded, c.options.Faults.WatchEnds, func(s *Stats) *int { return &s.WatchEnds })
}
