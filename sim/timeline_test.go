package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim/report"
	"github.com/snapstorm/snapstorm/sim/sched"
)

// TestTimelineOf: a lane is a task, not a name; a crash is on no lane; what happened in a step is told from steps; a choice
// names the lane that it passed over.
func TestTimelineOf(t *testing.T) {
	lock := &sched.Site{File: "m.go", Line: 7, Op: "m.mu.Lock()"}
	line := timelineOf(sched.Result{
		Names: []string{"worker", "p", "worker"},
		Trace: []sched.Event{
			{Step: 1, Task: "worker", ID: 1, Process: "p", Text: "start", Kind: sched.Start},
			{Step: 2, Task: "p", ID: 2, Process: "p", Text: "m.mu.Lock()", Kind: sched.Lock, Site: lock, Object: 1},
			{Step: 2, Task: "p", ID: 2, Process: "p", Text: "update pods a @4", Kind: sched.Call},
			{Step: 3, At: time.Second, Task: "p", Text: "crash", Kind: sched.Note, Process: "p"},
			{Step: 4, At: time.Second, Task: "worker", ID: 3, Process: "p#2", Text: "go on", Kind: sched.Return, Site: lock, Woken: 2},
			{Step: 4, At: time.Second, Task: "worker", ID: 3, Process: "p#2", Text: "log hello", Kind: sched.LogLine},
		},
		Choices: []sched.Choice{
			{Asker: sched.AskSwitch, N: 2, Step: 1, Task: 0, Passed: sched.Passed{Task: -1}, After: -1},
			{Asker: sched.AskSwitch, N: 2, Answer: 1, Step: 2, Task: 1, Site: lock, After: -1, Passed: sched.Passed{Task: 2}},
			{Asker: sched.AskCrash, N: 2, Answer: 1, Step: 3, Task: -1, After: 1, Steps: 1, Passed: sched.Passed{Task: -1}},
		},
	})
	assert.Equal(t, []report.Lane{{Name: "worker", Group: "p"}, {Name: "p", Group: "p"}, {Name: "worker", Group: "p#2"}}, line.Lanes)
	assert.Equal(t, []report.Event{
		{Step: 1, Lane: 0, Kind: "start", Text: "start", Woken: -1},
		{Step: 2, Lane: 1, Kind: "lock", Text: "m.mu.Lock()", Place: "m.go:7", Object: 1, Woken: -1},
		{Step: 2, Lane: 1, Kind: "call", Text: "update pods a @4", Inside: true, Woken: -1},
		{Step: 3, At: time.Second, Lane: -1, Kind: "note", Text: "crash: p", Woken: -1},
		{Step: 4, At: time.Second, Lane: 2, Kind: "go on", Text: "go on after m.mu.Lock()", Place: "m.go:7", Woken: 1},
		{Step: 4, At: time.Second, Lane: 2, Kind: "log", Text: "hello", Inside: true, Woken: -1},
	}, line.Events)
	assert.Equal(t, []report.Choice{
		{Step: 2, Asker: "switch", Text: "at the beginning, p goes on: m.mu.Lock() at m.go:7, ahead of worker: start", Passed: 2},
		{Step: 3, Asker: "crash", Text: "after step 1 of p, the process crashes: start", Passed: -1},
	}, line.Choices)
}
