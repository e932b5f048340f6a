package report

import (
	"fmt"
	"time"
)

// small is a world of five steps: two tasks, a lock, a choice that makes them race, and hostile names.
func small() Timeline {
	return Timeline{
		Finding: Finding{
			Kind: "data-race", Summary: "data race on a map: read at handover.go:4, write at handover.go:5 " + hostile,
			Places: []string{"handover.go:4", "handover.go:5"}, Detail: "read:\n  notify\n      handover.go:4\n" + hostile,
		},
		Run:    []Fact{{"test", "monitor TestStorm"}, {"seed", "1"}, {"strategy", "pct"}, {"schedule", "12"}, {"shrunk", "1 of 412"}},
		Replay: "go tool snapstorm replay race.tape",
		Lanes:  []Lane{{"p", "p"}, {"p.1", "p"}, {"kubelet " + hostile, "world"}},
		Events: []Event{
			{Step: 1, Lane: 0, Kind: "start", Text: "start", Woken: -1},
			{Step: 2, Lane: 1, Kind: "write map", Text: "m.pods[pod] = make(chan string)", Place: "handover.go:5", Woken: 0},
			{Step: 3, Lane: 0, Kind: "read map", Text: "m.pods[pod]", Place: "handover.go:4", Woken: -1},
			{Step: 4, Lane: 2, Kind: "step", Text: "update pods a", Woken: -1},
			{Step: 4, Lane: 2, Kind: "call", Text: "update pods a @7 " + hostile, Inside: true, Woken: -1},
			{Step: 5, At: time.Second, Lane: 0, Kind: "send", Text: "m.pods[pod] <- \"\"", Place: "handover.go:7", Object: 1, Woken: 1},
		},
		Choices: []Choice{{Step: 2, Asker: "switch", Text: "p.1 goes on ahead of p " + hostile, Passed: 0}},
	}
}

// storm is a world of n steps: programs that crash, many tasks of theirs, actors, every kind of step.
func storm(n int) Timeline {
	t := Timeline{
		Finding: Finding{Kind: "stuck", Summary: "monitor#3.17 waits for ever: m.pods[pod] <- \"\"", Places: []string{"handover.go:7"}, Step: n},
		Run:     []Fact{{"steps", fmt.Sprint(n)}},
	}
	kinds := []string{"lock", "send", "receive", "select", "touch", "sleep", "choose", "wait for group", "atomic", "go on"}
	for i := range 20 {
		t.Lanes = append(t.Lanes, Lane{fmt.Sprintf("actor %d", i), "world"})
	}
	for i := 20; i < 200; i++ {
		t.Lanes = append(t.Lanes, Lane{fmt.Sprintf("monitor#%d.%d", 1+i/50, i), fmt.Sprintf("monitor#%d", 1+i/50)})
	}
	last := map[int]int{}
	for step := 1; step <= n; step++ {
		run := step * 4 / (n + 1) // each crash ends a quarter
		lane := (step*step/7 + step/3) % 20
		if step%3 != 0 {
			lane = min(199, max(20, run*50)+(step*step/11)%50)
		}
		e := Event{
			Step: step, At: time.Duration(step/100) * time.Second, Lane: lane, Kind: kinds[(step*7/3)%len(kinds)], Woken: -1,
			Text: fmt.Sprintf("m.pods[%d] in step %d", lane, step), Place: fmt.Sprintf("handover.go:%d", 4+step%8), Object: step % 40,
		}
		if before, ok := last[lane]; ok && before < len(t.Events)-3 && step%2 == 0 {
			e.Woken = len(t.Events) - 2
		}
		last[lane], t.Events = len(t.Events), append(t.Events, e)
		if step%9 == 0 {
			t.Events = append(t.Events, Event{Step: step, At: e.At, Lane: lane, Kind: "call", Text: "update pods a", Inside: true, Woken: -1})
		}
		if step%(n/4) == 0 {
			t.Events = append(t.Events, Event{Step: step, At: e.At, Lane: -1, Kind: "note", Text: "crash: monitor", Woken: -1})
		}
		if step%3 == 0 {
			t.Choices = append(t.Choices, Choice{Step: step, Asker: "switch", Passed: -1})
		}
	}
	return t
}
