package fakes

import (
	"context"
	"fmt"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
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
	position int
	initial  []watch.Event
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
	selected, err := newSelection(namespace, opts)
	if err != nil {
		return nil, err
	}
	w := &watcher{caller: a, table: t, selected: selected, results: make(chan watch.Event, watch.DefaultChanSize)}
	_, err = a.call(ctx, "watch", t, namespace, func() (*record, error) { return w.begin(opts) })
	if err != nil {
		return nil, err
	}
	w.ctx, w.cancel = context.WithCancel(ctx)
	sim.Go("watch "+t.kind.resource.Resource, w.run)
	if w.closesEarly() {
		sim.Go("end of watch "+t.kind.resource.Resource, func() {
			nap(time.Now().Add(watchLife), w.ctx.Done())
			w.cancel()
		})
	}
	return w, nil
}

// begin fixes where the watch starts; under the cluster's lock.
func (w *watcher) begin(opts metav1.ListOptions) (*record, error) {
	mark := &record{revision: w.caller.cluster.present()}
	listed := opts.SendInitialEvents != nil && *opts.SendInitialEvents
	if opts.ResourceVersion != "" && opts.ResourceVersion != "0" && !listed {
		revision, err := strconv.ParseInt(opts.ResourceVersion, 10, 64)
		if err != nil {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("invalid resourceVersion %q", opts.ResourceVersion))
		}
		w.position = w.table.after(revision)
		return mark, nil
	}
	for _, r := range w.selected.filter(w.table.all()) {
		w.initial = append(w.initial, watch.Event{Type: watch.Added, Object: r.object})
	}
	if listed {
		w.initial = append(w.initial, watch.Event{Type: watch.Bookmark, Object: w.bookmark(mark.revision)})
	}
	w.position = w.table.end()
	return mark, nil
}

// bookmark marks the end of the initial events.
func (w *watcher) bookmark(revision int64) runtime.Object {
	o := w.table.kind.fresh()
	o.SetResourceVersion(strconv.FormatInt(revision, 10))
	o.SetAnnotations(map[string]string{metav1.InitialEventsAnnotationKey: "true"})
	return o
}

func (w *watcher) run() {
	defer close(w.results)
	defer w.cancel()
	for _, event := range w.initial {
		if !w.send(event) {
			return
		}
	}
	for {
		seen := w.table.grown.Count()
		if !w.catchUp() || !w.table.grown.Wait("watch", seen, w.ctx.Done()) {
			return
		}
	}
}

// catchUp sends all changes so far.
func (w *watcher) catchUp() bool {
	for {
		c, found := w.caller.cluster.changeAt(w.table, w.position)
		if !found {
			return true
		}
		w.position++
		if event, wanted := w.event(c); wanted && !w.send(event) {
			return false
		}
	}
}

// event is what the watch reports of a change: an object that no longer
// matches is gone for it, one that begins to match is new.
func (w *watcher) event(c change) (watch.Event, bool) {
	was, is := w.selected.matches(c.before), c.what != watch.Deleted && w.selected.matches(c.now)
	switch {
	case is && was:
		return watch.Event{Type: watch.Modified, Object: c.now.object}, true
	case is:
		return watch.Event{Type: watch.Added, Object: c.now.object}, true
	case was:
		return watch.Event{Type: watch.Deleted, Object: c.now.object}, true
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
	label := "watch " + w.table.kind.resource.Resource + ": ends early"
	return c.fault(label, c.options.Faults.WatchEnds, func(s *Stats) *int { return &s.WatchEnds })
}
