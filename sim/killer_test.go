package sim_test

//lint:file-ignore SA2001,SA4017,SA5007 the ways to kill a process are not meant to make sense

import (
	"context"
	"log"
	"os"
	"reflect"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/snapstorm/snapstorm/sim"
)

// native calls a function in a way that the instrumenter does not see, as a library would.
func native(f any, args ...any) {
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
	}
	reflect.ValueOf(f).Call(in)
}

// sleepy is a writer that comes to a point while package log holds its lock.
type sleepy struct{}

func (sleepy) Write(p []byte) (int, error) {
	time.Sleep(time.Second)
	return len(p), nil
}

// killers are ways to end or to hang a process. Each happens in the third of so many worlds that are like it otherwise.
var killers = []struct {
	name, kind, says string
	kill             func()
}{
	{"os.Exit", "panic", "exit code 3", func() { os.Exit(3) }},
	{"os.Exit of a library", "panic", "exit code 3", func() { native(os.Exit, 3) }},
	{"unlock of a library", "panic", "fatal error: sync: unlock of unlocked mutex", func() {
		var mu sync.Mutex
		native(mu.Unlock)
	}},
	{"panic on a timer's goroutine", "panic", "panicked: out of time", func() {
		time.AfterFunc(time.Millisecond, func() { panic("out of time") })
		time.Sleep(time.Second)
	}},
	{"log.Fatal", "panic", "exit code 1", func() { log.Fatal("gives up") }},
	{"stack overflow", "panic", "stack exceeds", func() { overflow(1) }},
	{"kill -9 of itself", "panic", "exit code -1", func() { syscall.Kill(syscall.Getpid(), syscall.SIGKILL); select {} }},
	{"endless loop", "hang", "no point was reached", func() {
		for i := 0; ; i++ {
			_ = i
		}
	}},
	{"lock of a library across a sleep", "hang", "no point was reached", func() {
		l := log.New(sleepy{}, "", 0)
		go l.Print("one")
		l.Print("two")
	}},
	{"livelock", "hang", "no end after", func() {
		var mu sync.Mutex
		for {
			mu.Lock()
			mu.Unlock()
		}
	}},
	{"nil function", "panic", "nil pointer dereference", func() { var f func(); go f() }},
	{"deadlock", "deadlock", "each other's locks", func() { var mu sync.Mutex; mu.Lock(); mu.Lock() }},
}

// overflow has a large frame, for the runtime counts all of them before it gives up.
func overflow(n int) int {
	var large [1 << 10]int
	large[n%len(large)] = overflow(n + 1)
	return large[0]
}

// TestNothingKillsUs: whatever ends or hangs a process becomes a finding with a tape that shows it again, and the other
// schedules are run all the same.
func TestNothingKillsUs(t *testing.T) {
	for _, k := range killers {
		t.Run(k.name, func(t *testing.T) {
			o := sim.Options{Schedules: 5, MaxSteps: 10_000}.HangAfter(1)
			s := sim.Explore(t, o, func(w *sim.World) {
				fatal := w.Choose("fatal", 2) == 1
				w.Start(sim.Program{Name: "p", Main: func(context.Context) {
					if fatal {
						k.kill()
					}
				}})
			})
			require.Equal(t, 5, s.Schedules)
			require.NotEmpty(t, s.Findings)
			f := s.Findings[0]
			assert.Equal(t, k.kind, f.Kind, "%+v", f)
			assert.Contains(t, f.Summary, k.says)
			assert.Less(t, f.Times, 5, "some worlds are harmless")
			assert.Equal(t, f.Replays, f.Shown)
			assert.FileExists(t, f.Tape)
		})
	}
}

// events outlives every world, and is made before any.
var events = make(chan int)

// TestChannelFromOutside: tasks meet through a channel that no bubble made.
func TestChannelFromOutside(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 30}, program(func(context.Context) {
		go func() { events <- 1 }()
		<-events
	}))
	assert.Empty(t, s.Findings)
	s = sim.Explore(t, sim.Options{Schedules: 30}, program(func(context.Context) { <-events }))
	assert.Equal(t, []string{"leak"}, kinds(s))
}

// kept is made by the first world of a process, and met by the next.
var kept chan int

// TestStateThatOutlivesAWorld: then each world gets a process of its own.
func TestStateThatOutlivesAWorld(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 4}, program(func(context.Context) {
		if kept == nil {
			kept = make(chan int, 10)
		}
		kept <- 1
	}))
	assert.Empty(t, s.Findings)
	assert.Equal(t, 4, s.Schedules)
}
