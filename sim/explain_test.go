package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// TestExplainNamesThePair: of two switches, the one whose order decides is at the finding's place; its operations stand side by
// side, marked, in the order of time, and what the finding does not need is told as such.
func TestExplainNamesThePair(t *testing.T) {
	at := func(line int, op string) *sched.Site { return &sched.Site{File: "m.go", Line: line, Op: op} }
	c := &cause{
		finding: sched.Finding{Kind: "concurrent-map", Parties: []sched.Party{
			{ID: 1, Task: "a", Does: "read map: m[k]", Place: "m.go:7"}, {ID: 2, Task: "b", Does: "write map: m[k] = v", Place: "m.go:9", Holds: []string{"m.go:8"}},
		}},
		trace: []sched.Event{
			{Step: 1, ID: 1, Task: "a", Text: "mu.Lock()", Kind: sched.Lock, Site: at(6, "mu.Lock()")},
			{Step: 2, ID: 2, Task: "b", Text: "start", Kind: sched.Start},
		},
		entries: []tape.Entry{
			{Asker: "switch", After: "a", Steps: 1, Task: "b", What: "start", Passed: "a: m[k] at m.go:7"},
			{Asker: "switch", After: "b", Steps: 1, Task: "c", What: "start", Passed: "b: f() at m.go:3"},
		},
		turns:  []turn{{Step: 2, Passed: 1}, {Step: 3, Passed: 2}},
		needed: []bool{true, false},
	}
	assert.Equal(t, `It takes some of this; other choices may do in place of the rest:
- after step 1 of a, b goes on: start
- after step 1 of b, c goes on: start
The order that decides: b goes on before a does. The other way round
it does not show.
Nothing orders the two uses of the map (marked >): a holds no lock, b
holds the lock taken at m.go:8.

  a                                  b
  mu.Lock()
  m.go:6
                                     start
> read map: m[k]
  m.go:7
                                   > write map: m[k] = v
                                     m.go:9`, strings.Join(c.text(), "\n"))
}

// TestCertainty: where replays disagree, the text says so, and why.
func TestCertainty(t *testing.T) {
	f := Finding{Kind: "data-race", Schedule: 4, Seed: 1, Replays: 20, Shown: 20, Equal: 20}
	assert.Contains(t, f.certainty(), "always: shown again by 20 of 20")
	f.Shown = 7
	assert.Contains(t, f.certainty(), "sometimes: shown again by 7 of 20 replays, all of the same steps: the race detector drops")
	f.Equal = 3
	assert.Contains(t, f.certainty(), "only 3 took the same steps: something here escapes the scheduler")
}

// TestTextFits: no line but a command is longer than a terminal is wide.
func TestTextFits(t *testing.T) {
	f := Finding{Kind: "stuck", Summary: strings.Repeat("word ", 60), Replays: 10, Shown: 10, Equal: 10, Explanation: []string{"why"}, Tape: "a.tape"}
	for _, line := range strings.Split(f.String(), "\n") {
		assert.LessOrEqual(t, len(line), textWidth)
	}
	assert.Equal(t, "…/handover.go:7", cutPath("testdata/generations/handover.go:7", 20))
	assert.Equal(t, "…handover.go:7", cutPath("testdata/handover.go:7", 14))
}
