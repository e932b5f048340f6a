package sched_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/snapstorm/snapstorm/sim/explore"
	"github.com/snapstorm/snapstorm/sim/hook"
	"github.com/snapstorm/snapstorm/sim/sched"
)

type rotate struct{}

func (rotate) Choose(q sched.Question) int {
	if q.Rare > 1 {
		return 0
	}
	return q.N - 1
}

func inBubble(tb testing.TB, f func()) {
	testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "x", F: func(t *testing.T) {
		synctest.Test(t, func(*testing.T) { f() })
	}}})
}

var site = hook.Site{File: "x.go", Line: 1, Op: "x"}

func BenchmarkStep(b *testing.B) {
	n := b.N
	var r sched.Result
	inBubble(b, func() {
		w := sched.New(sched.Options{MaxSteps: 1 << 60}, rotate{})
		var x int64
		w.NewProcess("p", func(ctx context.Context) {
			for range 8 {
				hook.Go(func() {
					for range n / 8 {
						hook.At(&x, &site)
					}
				}, &site)
			}
		}, 0)
		w.Run(nil)
		r = w.Result()
	})
	if r.Steps < n/8*8 {
		b.Fatal(r.Steps, n)
	}
	_ = explore.NewRandom
}

func BenchmarkPingPong(b *testing.B) {
	a, c := make(chan struct{}), make(chan struct{})
	go func() {
		for range a {
			c <- struct{}{}
		}
		close(c)
	}()
	for range b.N {
		a <- struct{}{}
		<-c
	}
	close(a)
}
