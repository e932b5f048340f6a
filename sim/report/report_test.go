package report

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile is what a program may call its tasks, or log, by mischance or malice.
const hostile = "</script><script>window.taken = 1</script><img src=x onerror='window.taken = 2'>\"'`${taken}<!--\u2028&lt;"

const handover = `package monitor

func (m *Monitor) notify(pod string) {
	if _, found := m.pods[pod]; !found {
		m.pods[pod] = make(chan string)
	}
	m.pods[pod] <- ""
}

func (m *Monitor) other() {
	m.mu.Lock()
	go func() {
		m.mu.Lock()
		panic("held twice")
	}()
}
`

func read(file string) ([]byte, error) {
	if file != "handover.go" {
		return nil, errors.New("there is no such file")
	}
	return []byte(handover), nil
}

// TestPageTakesNothingForMarkup: whatever text comes in, the page has the two script elements that it is made of.
func TestPageTakesNothingForMarkup(t *testing.T) {
	page, err := Page(Timeline{
		Finding: Finding{Kind: hostile, Summary: hostile, Places: []string{hostile}, Detail: hostile},
		Run:     []Fact{{hostile, hostile}}, Replay: hostile,
		Lanes:   []Lane{{hostile, hostile}},
		Events:  []Event{{Text: hostile, Kind: hostile, Place: hostile, Woken: -1}},
		Choices: []Choice{{Text: hostile, Asker: hostile, Passed: -1}},
	}, func(string) ([]byte, error) { return []byte(hostile), nil })
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(page), "</script"))
	assert.Equal(t, 2, strings.Count(string(page), "<script"))
	for _, markup := range []string{"<img", "<!--", "</title><"} {
		assert.NotContains(t, string(page), markup)
	}
}

// TestPageOfEqualWorldsIsEqual: nothing of the machine or the hour is in it.
func TestPageOfEqualWorldsIsEqual(t *testing.T) {
	a, err := Page(storm(300), read)
	require.NoError(t, err)
	b, err := Page(storm(300), read)
	require.NoError(t, err)
	assert.Equal(t, string(a), string(b))
}

func TestExcerpt(t *testing.T) {
	lines := strings.Split(handover, "\n")
	for at, want := range map[string]source{
		"handover.go:1":  {Line: 1, From: 1, Lines: lines[0:4]},
		"handover.go:6":  {Line: 6, From: 3, Lines: lines[2:9]},
		"handover.go:16": {Line: 16, From: 13, Lines: lines[12:16]},
		"handover.go:17": {Line: 17, Lines: []string{}},
		"handover.go:0":  {Line: 0, Lines: []string{}},
		"gone.go:3":      {Line: 3, Lines: []string{}},
		"an unknown":     {Lines: []string{}},
	} {
		want.At = at
		assert.Equal(t, want, excerpt(at, read), at)
	}
}

// run is a step of a lane at a line of handover.go.
func run(lane, line int) Event {
	return Event{Lane: lane, Place: fmt.Sprintf("handover.go:%d", line), Woken: -1}
}

// numbered gives the events steps, from 1.
func numbered(events ...Event) []Event {
	for i := range events {
		events[i].Step = i + 1
	}
	return events
}

func TestMarks(t *testing.T) {
	race := Finding{Kind: "data-race", Places: []string{"handover.go:4", "handover.go:5"}}
	// Lanes 0 and 1 each come to the send of line 7, and so run lines 4 and 5 in the step before; lane 2 does something else.
	handed := numbered(run(0, 11), run(0, 7), run(2, 11), run(1, 11), run(0, 11), run(2, 11), run(1, 7), run(0, 7))
	for name, test := range map[string]struct {
		finding Finding
		events  []Event
		want    []mark
	}{
		"a race, by the points around": {race, handed, []mark{{3, "handover.go:4"}, {4, "handover.go:5"}}},
		"a race, by points at its lines": {
			race, numbered(run(0, 4), run(0, 5), run(1, 7), run(1, 4), run(1, 5)), []mark{{1, "handover.go:5"}, {3, "handover.go:4"}},
		},
		"a race that one task ran alone": {race, numbered(run(0, 4), run(0, 5)), nil},
		"a race in a file that is gone": {
			Finding{Kind: "data-race", Places: []string{"gone.go:4"}}, handed, nil,
		},
		"a race whose lines no event is near, by its steps": {
			Finding{Kind: "data-race", Places: []string{"gone.go:4", "gone.go:5"}, Race: []Access{{"gone.go:5", 2}, {"gone.go:4", 4}}}, handed, []mark{{1, "gone.go:5"}, {3, "gone.go:4"}},
		},
		"a race of one line with itself, by its steps": {
			Finding{Kind: "data-race", Places: []string{"gone.go:4"}, Race: []Access{{"gone.go:4", 2}, {"gone.go:4", 4}}}, handed, []mark{{1, "gone.go:4"}, {3, "gone.go:4"}},
		},
		"a race of which one step is known": {
			Finding{Kind: "data-race", Places: []string{"gone.go:4", "gone.go:5"}, Race: []Access{{"gone.go:5", 2}}}, handed, []mark{{1, "gone.go:5"}},
		},
		"stuck, at its place": {
			Finding{Kind: "stuck", Places: []string{"handover.go:7"}, Step: 7}, handed, []mark{{6, "handover.go:7"}},
		},
		"a panic, in the last step of its task": {
			Finding{Kind: "panic", Places: []string{"handover.go:14"}, Step: 5}, numbered(run(0, 11), run(1, 13), run(0, 4), run(1, 13), run(2, 11), run(0, 13)),
			[]mark{{3, "handover.go:14"}},
		},
		"a property, at its step": {Finding{Kind: "property", Step: 3}, handed, []mark{{2, ""}}},
		"of an unknown step":      {Finding{Kind: "property"}, handed, nil},
		"none":                    {Finding{}, handed, nil},
	} {
		assert.Equal(t, test.want, Timeline{Finding: test.finding, Events: test.events}.marks(read), name)
	}
}
