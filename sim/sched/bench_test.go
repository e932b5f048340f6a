package sched_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/snapstorm/snapstorm/sim/hook"
	"github.com/snapstorm/snapstorm/sim/sched"
)

// rotate switches to another task at every step.
type rotate struct{}

func (rotate) Choose(q sched.Question) int {
	if q.Rare > 1 {
		return 0
	}
	return q.N - 1
}

var site = hook.Site{File: "bench_test.go", Line: 1, Op: "n.Add(1)"}

// steps runs one world of at least n steps among 8 tasks, of which each switches, and returns how long it took.
func steps(tb testing.TB, n int) time.Duration {
	const tasks = 8
	began := time.Now() // outside of the bubble, where time passes
	inBubble(func() {
		w := sched.New(sched.Options{MaxSteps: 2*n + 100}, rotate{})
		var shared int64
		w.NewProcess("p", func(context.Context) {
			for range tasks {
				hook.Go(func() {
					for range n / tasks {
						hook.At(&shared, &site)
					}
				}, &site)
			}
		}, 0)
		w.Run(nil)
		if r := w.Result(); r.Steps < n/tasks*tasks {
			tb.Errorf("%d steps, want at least %d", r.Steps, n)
		}
	})
	return time.Since(began)
}

// inBubble runs f in a synctest bubble. Only package testing can make the *testing.T that one wants.
func inBubble(f func()) {
	everything := func(string, string) (bool, error) { return true, nil }
	testing.RunTests(everything, []testing.InternalTest{{Name: "bubble", F: func(t *testing.T) {
		synctest.Test(t, func(*testing.T) { f() })
	}}})
}

// pingPong makes n round trips between two goroutines and returns how long they took.
func pingPong(n int) time.Duration {
	ping, pong := make(chan struct{}), make(chan struct{})
	go func() {
		for range ping {
			pong <- struct{}{}
		}
	}()
	defer close(ping)
	began := time.Now()
	for range n {
		ping <- struct{}{}
		<-pong
	}
	return time.Since(began)
}

// BenchmarkStep is one step of the scheduler: 8 tasks, every step switches, the tape and the hash are kept.
func BenchmarkStep(b *testing.B) { steps(b, b.N) }

// BenchmarkPingPong is the floor: what any hand-over between two goroutines costs.
func BenchmarkPingPong(b *testing.B) { pingPong(b.N) }

// BenchmarkStepRatio measures both in turn, so that a change of the machine's speed meets both, and reports the median
// ratio of five rounds.
func BenchmarkStepRatio(b *testing.B) {
	const n = 100_000
	var ratios []float64
	for b.Loop() {
		for range 5 {
			ratios = append(ratios, float64(steps(b, n))/float64(pingPong(n)))
		}
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "step/pingpong")
	b.ReportMetric(0, "ns/op") // means nothing here
}

// BenchmarkWorld is a small world, from its bubble to its hash: 4 tasks, some 40 steps.
func BenchmarkWorld(b *testing.B) {
	everything := func(string, string) (bool, error) { return true, nil }
	testing.RunTests(everything, []testing.InternalTest{{Name: "worlds", F: func(t *testing.T) {
		for range b.N {
			synctest.Test(t, func(*testing.T) { smallWorld() })
		}
	}}})
}

func smallWorld() {
	w := sched.New(sched.Options{}, rotate{})
	var shared int64
	w.NewProcess("p", func(context.Context) {
		for range 3 {
			hook.Go(func() {
				for range 12 {
					hook.At(&shared, &site)
				}
			}, &site)
		}
	}, 0)
	w.Run(nil)
}
