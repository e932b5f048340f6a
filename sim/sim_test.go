package sim_test

//lint:file-ignore SA2001,SA5000 the subjects are broken on purpose, or do nothing under their locks

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/stretchr/testify/assert"
)

// explore runs one program under some schedules.
func explore(t *testing.T, schedules int, main func(context.Context)) sim.Summary {
	t.Helper()
	return sim.Explore(t, sim.Options{Schedules: schedules}, program(main))
}

func program(main func(context.Context)) func(*sim.World) {
	return func(w *sim.World) { w.Start(sim.Program{Name: "p", Main: main}) }
}

// kinds lists the kinds of what was found.
func kinds(s sim.Summary) []string {
	kinds := []string{}
	for _, f := range s.Findings {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

func abba(second, third *sync.Mutex, a, b *sync.Mutex) {
	go func() {
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
	}()
	go func() {
		second.Lock()
		third.Lock()
		third.Unlock()
		second.Unlock()
	}()
}

// subjects are small programs with one bug each, and their fixed twins.
var subjects = []struct {
	name       string
	want       string // kind of the finding
	bug, fixed func(context.Context)
}{
	{"locks in two orders", "deadlock",
		func(context.Context) { var a, b sync.Mutex; abba(&b, &a, &a, &b) },
		func(context.Context) { var a, b sync.Mutex; abba(&a, &b, &a, &b) }},
	{"lock taken twice", "deadlock",
		func(context.Context) { var mu sync.Mutex; mu.Lock(); mu.Lock() },
		func(context.Context) { var mu sync.Mutex; mu.Lock(); mu.Unlock(); mu.Lock() }},
	{"read-write-read", "stuck", readWriteRead(true), readWriteRead(false)},
	{"send without receiver", "stuck",
		func(context.Context) { ch := make(chan int); ch <- 1 },
		func(context.Context) { ch := make(chan int, 1); ch <- 1 }},
	{"receive that never ends", "leak",
		func(context.Context) { ch := make(chan int); <-ch },
		func(ctx context.Context) {
			ch := make(chan int)
			select {
			case <-ch:
			case <-ctx.Done():
			}
		}},
	{"double close", "panic",
		func(context.Context) { ch := make(chan int); close(ch); close(ch) },
		func(context.Context) { ch := make(chan int); close(ch); <-ch }},
	{"send on closed", "panic", sendAndClose(false), sendAndClose(true)},
	{"unlock of unlocked", "panic",
		func(context.Context) { var mu sync.Mutex; mu.Unlock() },
		func(context.Context) { var mu sync.Mutex; mu.Lock(); mu.Unlock() }},
	{"lost signal", "leak", lostSignal(true), lostSignal(false)},
	{"group never done", "leak",
		func(context.Context) { var wg sync.WaitGroup; wg.Add(2); go wg.Done(); wg.Wait() },
		func(context.Context) { var wg sync.WaitGroup; wg.Add(1); go wg.Done(); wg.Wait() }},
	{"once that needs itself", "deadlock",
		func(context.Context) { var once sync.Once; once.Do(func() { once.Do(func() {}) }) },
		func(context.Context) { var once sync.Once; once.Do(func() {}); once.Do(func() {}) }},
	{"panic of a goroutine", "panic",
		func(context.Context) { go func() { var m map[string]int; m["a"] = 1 }() },
		func(context.Context) { go func() { m := map[string]int{}; m["a"] = 1 }() }},
	{"time-out that is too short", "panic", timeout(time.Second), timeout(time.Hour)},
}

func readWriteRead(bug bool) func(context.Context) {
	return func(context.Context) {
		var mu sync.RWMutex
		go func() {
			mu.RLock()
			if bug {
				mu.RLock()
				mu.RUnlock()
			}
			mu.RUnlock()
		}()
		go func() { mu.Lock(); mu.Unlock() }()
	}
}

func sendAndClose(wait bool) func(context.Context) {
	return func(context.Context) {
		ch, sent := make(chan int, 1), make(chan bool)
		go func() { ch <- 1; close(sent) }()
		if wait {
			<-sent
		}
		close(ch)
		<-sent
	}
}

func lostSignal(bug bool) func(context.Context) {
	return func(context.Context) {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		ready := false
		go func() {
			mu.Lock()
			ready = true
			mu.Unlock()
			cond.Signal()
		}()
		mu.Lock()
		if bug || !ready {
			cond.Wait()
		}
		mu.Unlock()
	}
}

// timeout waits two minutes for an answer that comes after one.
func timeout(d time.Duration) func(context.Context) {
	return func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, d)
		defer cancel()
		answer := make(chan int, 1)
		go func() { time.Sleep(time.Minute); answer <- 1 }()
		select {
		case <-answer:
		case <-ctx.Done():
			panic(ctx.Err())
		}
	}
}

func TestFindings(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			bug := explore(t, 100, s.bug)
			assert.Contains(t, kinds(bug), s.want, "%+v", bug.Findings)
			for _, f := range bug.Findings {
				if f.Kind == "data-race" {
					continue // to close a channel that somebody sends on is one, too
				}
				assert.Equal(t, s.want, f.Kind, f.Summary)
				assert.Equal(t, f.Replays, f.Shown, f.Summary)
				assert.Equal(t, f.Replays, f.Equal, f.Summary)
				assert.GreaterOrEqual(t, f.Replays, 10)
				assert.Contains(t, f.Place, "sim/sim_test.go:", f.Summary)
			}
			assert.Empty(t, explore(t, 100, s.fixed).Findings)
		})
	}
}

// TestEffectsAreHashed: a world that differs only in what it does outside is another world.
func TestEffectsAreHashed(t *testing.T) {
	o := sim.Options{Schedules: 5, Twice: true}
	assert.Contains(t, kinds(sim.Explore(t, o, program(countWorlds))), "nondeterminism")
	o = o.Without(sched.Mechanisms{Effects: true})
	assert.Empty(t, sim.Explore(t, o, program(countWorlds)).Findings)
}

var worlds atomic.Int64

// countWorlds has an effect that is another one in every world of a process: it is not deterministic.
func countWorlds(context.Context) { sim.Effect("count", "worlds", worlds.Add(1)) }

// TestUntil: with -sim.until a search goes on past other findings, stops at the one that is asked for, and replays no other.
func TestUntil(t *testing.T) {
	sim.Until(t, "^panic .*: wanted")
	s := explore(t, 100, func(context.Context) {
		var mu sync.Mutex
		first := 0
		for i := range 2 {
			go func() {
				mu.Lock()
				defer mu.Unlock()
				if first == 0 {
					first = i + 1
				}
			}()
		}
		sim.Sleep(time.Second)
		mu.Lock()
		defer mu.Unlock()
		if first == 2 {
			panic("another")
		}
		panic("wanted")
	})
	if assert.Len(t, s.Findings, 2) {
		assert.Contains(t, s.Findings[0].Summary, "another")
		assert.Zero(t, s.Findings[0].Replays)
		assert.Contains(t, s.Findings[1].Summary, "wanted")
		assert.Equal(t, s.Schedules, s.Findings[1].Schedule)
		assert.Equal(t, 10, s.Findings[1].Replays)
	}
}
