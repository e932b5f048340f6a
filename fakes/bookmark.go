package fakes

import (
	"time"

	"k8s.io/apimachinery/pkg/watch"
)

// bookmarkPeriod is how often the API server looks which watches may have a
// bookmark.
const bookmarkPeriod = time.Minute

// keepMarking asks once in a period whether the watch gets a bookmark, until
// there can be none.
func (w *watcher) keepMarking() {
	c, next := w.caller.cluster, time.Now().Add(bookmarkPeriod)
	for c.Stats().Bookmarks < c.options.Faults.Bookmarks && nap(next, w.ctx.Done()) {
		next = next.Add(bookmarkPeriod)
		if c.fault(w.what(), bookmarked, c.options.Faults.Bookmarks, func(s *Stats) *int { return &s.Bookmarks }) {
			w.due.Store(true)
			w.table.grown.Open()
		}
	}
}

// mark sends a bookmark if one is due and nothing else is to be sent.
func (w *watcher) mark() bool {
	if !w.due.Load() {
		return true
	}
	revision, caughtUp := w.caller.cluster.upTo(w.table, w.position)
	if !caughtUp {
		return true
	}
	w.due.Store(false)
	w.revision = max(w.revision, revision)
	return w.send(w.bookmark(revision, nil))
}

// upTo returns the present revision if there is no change from a position on.
func (c *Cluster) upTo(t *table, position int) (revision int64, all bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.present(), position == t.end()
}

// bookmark tells a client how far it is.
func (w *watcher) bookmark(revision int64, annotations map[string]string) watch.Event {
	o := w.table.kind.fresh()
	o.SetResourceVersion(formatRevision(revision))
	o.SetAnnotations(annotations)
	return watch.Event{Type: watch.Bookmark, Object: o}
}
