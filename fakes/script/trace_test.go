package script

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Which of two callbacks may change places, with lists in order and without.
func TestOrderIsComparedWhereTheContractFixesIt(t *testing.T) {
	relist := []hidden{{after: 3, upTo: 6}}
	for _, c := range []struct {
		name           string
		seen           Seen
		listed, stream bool // whether the other order is a difference
	}{
		{"events of the stream", Seen{Events: []Event{{Verb: "add", Key: "a", Revision: 7}, {Verb: "add", Key: "b", Revision: 8}}, relists: relist}, true, true},
		{"tombstones", Seen{Events: []Event{{Verb: "tombstone", Key: "a"}, {Verb: "tombstone", Key: "b"}}}, false, false},
		{"a tombstone before what was listed", Seen{Events: []Event{{Verb: "tombstone", Key: "a"}, {Verb: "add", Key: "b", Revision: 4}}, relists: relist}, true, true},
		{"what was listed", Seen{Events: []Event{{Verb: "update", Key: "a", Revision: 2, Repeat: true}, {Verb: "add", Key: "b", Revision: 6}}, relists: relist}, true, false},
		{"resyncs", Seen{Events: []Event{{Verb: "update", Key: "a", Same: true}, {Verb: "update", Key: "b", Same: true}}}, false, false},
		{"first adds", Seen{Events: []Event{{Verb: "add", Key: "a", Initial: true}, {Verb: "add", Key: "b", Initial: true}}}, true, false},
		{"first adds of a late handler", Seen{Late: true, Events: []Event{{Verb: "add", Key: "a", Initial: true}, {Verb: "add", Key: "b", Initial: true}}}, false, false},
		{"two states of one object", Seen{Events: []Event{{Verb: "update", Key: "a", New: "1", Repeat: true}, {Verb: "update", Key: "a", New: "2", Repeat: true}}}, true, true},
	} {
		other := c.seen
		other.Events = []Event{c.seen.Events[1], c.seen.Events[0]}
		one, two := Trace{{Seen: []Seen{c.seen}}}, Trace{{Seen: []Seen{other}}}
		require.Empty(t, Difference(one, one, true), c.name)
		require.Equal(t, c.listed, Difference(one, two, true) != "", "%s, listed", c.name)
		require.Equal(t, c.stream, Difference(one, two, false) != "", "%s, streamed", c.name)
	}
}

// Of a slow handler's callback in flight only the class is known, until the
// others have come.
func TestWhatIsInFlightMayBeAnyOfItsClass(t *testing.T) {
	a, b := Event{Verb: "tombstone", Key: "a"}, Event{Verb: "tombstone", Key: "b"}
	at := func(s Seen) Trace { return Trace{{Seen: []Seen{s}}} }
	require.Empty(t, Difference(at(Seen{Held: true, Events: []Event{a}}), at(Seen{Held: true, Events: []Event{b}}), true))
	require.Empty(t, Difference(at(Seen{Lost: true, Events: []Event{a}}), at(Seen{Lost: true, Events: []Event{b}}), true))
	require.NotEmpty(t, Difference(at(Seen{Events: []Event{a}}), at(Seen{Events: []Event{b}}), true))
	require.NotEmpty(t, Difference(at(Seen{Lost: true, Events: []Event{a}}), at(Seen{Lost: true, Events: []Event{a, b}}), true))
}

func TestDifferenceOfStatesAndLengths(t *testing.T) {
	one, two := Trace{{State: []string{"store: a"}}}, Trace{{State: []string{"store: b"}}}
	require.Contains(t, Difference(one, two, true), "store: a")
	require.Equal(t, "want 1 steps, got 0", Difference(one, nil, true))
}

func TestLag(t *testing.T) {
	var lags []int
	for age := range 6 {
		lags = append(lags, Lag(age, 5))
	}
	require.Equal(t, []int{0, 1, 2, 4, 5, 5}, lags)
}
