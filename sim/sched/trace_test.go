package sched_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim/hook"
	"github.com/snapstorm/snapstorm/sim/sched"
)

// waiter is a program whose child waits for a lock, then for a channel, then for the clock.
func waiter(context.Context) {
	at := func(line int, op string) *hook.Site { return &hook.Site{File: "p.go", Line: line, Op: op} }
	var mu sync.Mutex
	c := make(chan int)
	hook.Lock(&mu, at(1, "lock by the parent"))
	hook.Go(func() {
		hook.Lock(&mu, at(3, "lock by the child"))
		hook.Unlock(&mu, nil)
		hook.Recv(c, at(4, "receive"))
		hook.Sleep(time.Second, at(6, "sleep"))
	}, at(2, "go"))
	hook.Sleep(time.Second, at(7, "hold"))
	hook.Unlock(&mu, nil)
	hook.Sleep(time.Second, at(8, "rest"))
	hook.To(c, at(5, "send")).Send(1)
}

// traced runs a program with a trace.
func traced(t *testing.T, main func(context.Context)) []sched.Event {
	var trace []sched.Event
	synctest.Test(t, func(*testing.T) {
		w := sched.New(sched.Options{Trace: true}, first{})
		w.NewProcess("p", main, 0)
		w.Run(nil)
		trace = w.Result().Trace
	})
	return trace
}

// first gives the dullest answers.
type first struct{}

func (first) Choose(sched.Question) int { return 0 }

// TestTraceSaysWhoLetATaskGoOn: of a lock the step that released it, of a channel the one that sent, of a task the one that
// began it; of a sleep nobody.
func TestTraceSaysWhoLetATaskGoOn(t *testing.T) {
	trace := traced(t, waiter)
	provider, object := map[string]string{}, map[string]int{}
	for _, e := range trace {
		name := e.Task + " " + e.Text
		if e.Woken > 0 {
			provider[name] = trace[e.Woken-1].Task + " " + trace[e.Woken-1].Text
		}
		object[name] = e.Object
		assert.Equal(t, "p", e.Process)
	}
	assert.Equal(t, map[string]string{
		"p.1 go":                "p lock by the parent", // the step goes on to the go statement
		"p.1 lock by the child": "p hold",               // and this one to the unlock
		"p.1 go on":             "p send",
	}, provider)
	assert.Equal(t, 1, object["p lock by the parent"])
	assert.Equal(t, 1, object["p.1 lock by the child"], "the same one")
	assert.Equal(t, 2, object["p.1 receive"])
	assert.Equal(t, 0, object["p.1 sleep"])
}

// TestTraceTellsTasksOfOneNameApart: names may be used again, ids may not.
func TestTraceTellsTasksOfOneNameApart(t *testing.T) {
	trace := traced(t, func(context.Context) {
		for range 2 {
			sched.Go("twin", func() {}, nil)
		}
	})
	ids := map[int]bool{}
	for _, e := range trace {
		if e.Task == "twin" {
			ids[e.ID] = true
		}
	}
	assert.Len(t, ids, 2)
}
