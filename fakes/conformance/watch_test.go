package conformance

import (
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// watching is a watch that is read when the script is over.
type watching struct {
	what   string
	last   place // the object that ends it
	events watch.Interface
}

// startWatch watches from the present, from what a state had that was seen
// some answers ago, or with the present objects sent ahead.
type startWatch struct {
	At           place
	Label, Field string
	From         place // none is the present
	Ago          int
	Initial      bool
	Revision     string // when it is not a real one
}

func (w startWatch) do(s *side) {
	opts := metav1.ListOptions{LabelSelector: w.Label, FieldSelector: w.Field, ResourceVersion: w.Revision}
	if w.From != (place{}) {
		opts.ResourceVersion = s.known(w.From, w.Ago).GetResourceVersion()
	}
	if w.Initial {
		opts.SendInitialEvents, opts.AllowWatchBookmarks = new(true), true
		opts.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	events, err := at(s.client, w.At).Watch(ctx, opts)
	s.logf("watch %+v: %s", w, s.answer(nil, err))
	if err == nil {
		s.watches = append(s.watches, watching{what: "watch of " + w.At.Resource, last: w.lastEnd(), events: events})
	}
}

// lastEnd is the last of the ends that the watch is told of.
func (w startWatch) lastEnd() place {
	var last place
	for _, p := range ends {
		if p.Resource == w.At.Resource && (w.At.Namespace == "" || w.At.Namespace == p.Namespace) {
			last = p
		}
	}
	return last
}

// ends are where the script's end is written, so that every watch is told:
// with the name and the label that selections ask for.
var ends = []place{{snapshots, "x", "a"}, {snapshots, "y", "a"}, {contents, "", "a"}}

const endEdit = `{"metadata":{"labels":{"x":"1"},"annotations":{"end":"yes"}}}`

// drain notes all that the watches report until the end.
func (s *side) drain() {
	for _, w := range s.watches {
		deadline := time.After(20 * time.Second)
		for s.next(w, deadline) {
		}
		w.events.Stop()
	}
}

// next notes one event. It returns false after the last one.
func (s *side) next(w watching, deadline <-chan time.Time) bool {
	select {
	case e, open := <-w.events.ResultChan():
		if !open {
			s.logf("%s: closed", w.what)
			return false
		}
		if e.Type == watch.Error {
			s.logf("%s: %s", w.what, problem(apierrors.FromObject(e.Object)))
			return false
		}
		o := e.Object.(object)
		if e.Type == watch.Bookmark && o.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "" {
			return true // sent at any time
		}
		s.logf("%s: %s %s", w.what, e.Type, s.show(o))
		return !isEnd(o, w.last)
	case <-deadline:
		s.logf("%s: no end", w.what)
		return false
	}
}

func isEnd(o object, last place) bool {
	return o.GetAnnotations()["end"] != "" && o.GetName() == last.Name && o.GetNamespace() == last.Namespace
}
