package script

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Event is one callback.
type Event struct {
	Verb     string // add, update, delete, tombstone
	Key      string // the object's name; of a tombstone the key that it has
	Old, New string // the objects: UID, revision and state
	Revision int64  // of the new object; of the old one if there is no new one
	Initial  bool   // an add of the initial list
	Other    bool   // an update to another object of the same name
	Repeat   bool   // an update to the same revision
	Same     bool   // an update whose old and new are one pointer
	Strange  bool   // the old object is not the one that the handler was given last
	Behind   bool   // the store did not have the new object yet
}

// String is the event in one line.
func (e Event) String() string {
	words := []string{e.Verb, e.Key}
	for _, o := range []string{e.Old, e.New} {
		if o != "" {
			words = append(words, o)
		}
	}
	for word, is := range e.marks {
		if is {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// marks names what is special about an event.
func (e Event) marks(yield func(string, bool) bool) {
	_ = yield("(initial)", e.Initial) && yield("(another object)", e.Other) &&
		yield("(unchanged)", e.Repeat && !e.Same) && yield("(same pointer)", e.Same) &&
		yield("(from an object that was not the last)", e.Strange) && yield("(ahead of the store)", e.Behind)
}

// hidden is what the list of a relist holds that no stream had: the changes
// after one revision and up to another.
type hidden struct{ after, upTo int64 }

// Seen is what one handler saw in one step.
type Seen struct {
	Handler int
	Late    bool // it joined a running informer
	Held    bool // it is slow
	Lost    bool // it was slow when it left
	Events  []Event
	relists []hidden
}

// Moment is what one step of a script did.
type Moment struct {
	Step  string
	Seen  []Seen
	State []string // of store and informer
}

// Trace is what a script did to a subject.
type Trace []Moment

// String is the trace in words, a callback a line.
func (t Trace) String() string {
	var lines []string
	for _, m := range t {
		lines = append(append(lines, m.Step), m.lines(true)...)
	}
	return strings.Join(lines, "\n")
}

// lines is the moment in words, with all that may come in any order sorted.
func (m Moment) lines(listed bool) []string {
	var lines []string
	for _, s := range m.Seen {
		for _, line := range s.lines(listed) {
			lines = append(lines, fmt.Sprintf("handler %d: %s", s.Handler, line))
		}
	}
	return append(lines, m.State...)
}

// lines is what was seen in words. The callback that a slow handler does not
// return from may be any of a class: nobody knows which until the others came.
func (s Seen) lines(listed bool) []string {
	var lines []string
	done, flying := s.split()
	for _, e := range s.ordered(done, listed) {
		lines = append(lines, e.String())
	}
	for _, e := range flying {
		what := e.String()
		if class := s.class(e, listed); class != "" {
			what = "any of the " + class
		}
		lines = append(lines, "in flight: "+what)
	}
	return lines
}

// split finds the event that is in flight: the last one of a slow handler, the
// first one of a handler that left while it was slow.
func (s Seen) split() (done, flying []Event) {
	switch n := len(s.Events); {
	case s.Lost && n > 0:
		return s.Events[1:], s.Events[:1]
	case s.Held && n > 0:
		return s.Events[:n-1], s.Events[n-1:]
	}
	return s.Events, nil
}

// ordered returns events with each run of one unordered class sorted by
// key. What concerns one key keeps its order.
func (s Seen) ordered(events []Event, listed bool) []Event {
	events = slices.Clone(events)
	for from := 0; from < len(events); {
		class, to := s.class(events[from], listed), from+1
		for class != "" && to < len(events) && s.class(events[to], listed) == class {
			to++
		}
		slices.SortStableFunc(events[from:to], func(a, b Event) int { return cmp.Compare(a.Key, b.Key) })
		from = to
	}
	return events
}

// class tells which events may change places with this one; none if it is "".
// Listed says that lists have an order, as they have not when they are streamed.
func (s Seen) class(e Event, listed bool) string {
	switch {
	case e.Verb == "tombstone":
		return "tombstones"
	case e.Same:
		return "resyncs"
	case e.Initial && (s.Late || !listed):
		return "initial adds"
	case !listed && (e.Repeat || slices.ContainsFunc(s.relists, func(h hidden) bool { return h.after < e.Revision && e.Revision <= h.upTo })):
		return "list"
	}
	return ""
}

// Difference says where two traces of one script differ first, or "". Listed
// says that both subjects keep the order of lists.
func Difference(want, got Trace, listed bool) string {
	for at := range min(len(want), len(got)) {
		wanted, found := want[at].lines(listed), got[at].lines(listed)
		if !slices.Equal(wanted, found) {
			return fmt.Sprintf("step %d, %s:\nwant\n\t%s\ngot\n\t%s", at, want[at].Step,
				strings.Join(wanted, "\n\t"), strings.Join(found, "\n\t"))
		}
	}
	if len(want) != len(got) {
		return fmt.Sprintf("want %d steps, got %d", len(want), len(got))
	}
	return ""
}
