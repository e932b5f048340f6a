package sim

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// TestLastInside: the detector tells where the first access of a race was, but not whose it was. Steps in the calls around it do.
func TestLastInside(t *testing.T) {
	in := func(step, id int, function string, line int) sched.Event {
		return sched.Event{Step: step, ID: id, Kind: sched.Lock, Site: &sched.Site{File: "m.go", Line: line, Func: function}}
	}
	start := func(step, id int, function string, line int) sched.Event {
		e := in(step, id, function, line)
		e.Kind = sched.Start
		return e
	}
	elsewhere := in(1, 1, "(*box).put", 5)
	elsewhere.Site.File = "other/m.go"
	calls := []sched.Frame{
		{Func: "example.com/m.(*box).put", Place: "m.go:7"}, {Func: "example.com/m.(*Box[...]).fill.func1", Place: "m.go:20"}, {Func: "example.com/m.(*Box[...]).Run.func1.2", Place: "m.go:40"},
	}
	tests := map[string]struct {
		trace []sched.Event
		step  int // 0 if there is none
	}{
		"in the function itself, and last":         {[]sched.Event{in(1, 1, "(*box).put", 5), in(2, 2, "(*box).put", 9), in(3, 3, "(*Box).fill.func1", 18)}, 2},
		"in the caller, ahead of the call":         {[]sched.Event{in(1, 1, "(*Box).fill.func1", 18), in(2, 2, "(*Box).fill.func1", 25), in(3, 2, "other", 5)}, 1},
		"not in the function around the caller":    {[]sched.Event{in(1, 1, "(*Box).fill.func1", 18), in(2, 2, "(*Box).fill", 15)}, 1},
		"the start of a function inside another":   {[]sched.Event{start(1, 1, "(*Box).Run.func1", 39), in(2, 2, "(*Box).fill", 25), in(3, 3, "(*Box).Run", 30)}, 1},
		"the function of another file":             {[]sched.Event{elsewhere}, 0},
		"only the task of the other access":        {[]sched.Event{in(1, 9, "(*box).put", 5)}, 0},
		"a function whose name only ends the same": {[]sched.Event{in(1, 1, "put", 5), in(2, 1, "ox).put", 5)}, 0},
		"no step at all":                           {nil, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			e, found := lastInside(test.trace, calls, 9)
			assert.Equal(t, test.step, e.Step)
			assert.Equal(t, test.step > 0, found)
		})
	}
}

// TestRaceOnAMapIsToldAsOne: the detector reports a map's insides, too, in one world so and in the next one otherwise.
func TestRaceOnAMapIsToldAsOne(t *testing.T) {
	found := []sched.Finding{
		{Report: 1, Place: "m.go:7, m.go:9", Summary: onMemory + "read at m.go:7, write at m.go:9"},
		{Report: 2, Place: "m.go:7, m.go:9", Summary: onMap + "write at m.go:9, read at m.go:7", Parties: []sched.Party{{Does: "write"}, {Does: "read"}}},
		{Report: 3, Place: "m.go:7, m.go:9", Summary: onMap + "read at m.go:7, write at m.go:9", Parties: []sched.Party{{Does: "read"}, {Does: "write"}}},
		{Report: 4, Place: "m.go:7, m.go:8", Summary: onMemory + "read at m.go:7, write at m.go:8"},
	}
	told := slices.Clone(found)
	sameStory(told)
	assert.Equal(t, []sched.Finding{found[1], found[1], found[1], found[3]}, told, "each with the parties that its report has")
}
