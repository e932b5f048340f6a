package m

import (
	"context"
	"log"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/snapstorm/snapstorm/sim"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
)

func TestMain(m *testing.M) { sim.Main(m) }

// explored runs a program under some schedules, each of them twice, and returns the findings.
func explored(t *testing.T, main func(context.Context)) string {
	t.Helper()
	s := sim.Explore(t, sim.Options{Schedules: 40, Twice: true}, func(w *sim.World) {
		w.Start(sim.Program{Name: "p", Main: main})
	})
	if s.RunTwice != s.Schedules || s.Distinct < 2 {
		t.Errorf("got %d of %d schedules run twice, %d different ones", s.RunTwice, s.Schedules, s.Distinct)
	}
	var found []string
	for _, f := range s.Findings {
		found = append(found, f.Kind+": "+f.Summary)
	}
	return strings.Join(found, "\n")
}

func check(t *testing.T, main func(context.Context)) {
	t.Helper()
	if found := explored(t, main); found != "" {
		t.Errorf("found %s", found)
	}
}

func TestGroup(t *testing.T) {
	check(t, func(context.Context) {
		var group errgroup.Group
		group.SetLimit(2)
		weighted := semaphore.NewWeighted(2)
		var mu sync.Mutex
		sum := 0
		for i := range 4 {
			group.Go(func() error {
				if err := weighted.Acquire(context.Background(), 1); err != nil {
					return err
				}
				defer weighted.Release(1)
				mu.Lock()
				sum += i
				mu.Unlock()
				return nil
			})
		}
		if group.Wait() != nil || sum != 6 {
			panic(sum)
		}
	})
}

func TestFlight(t *testing.T) {
	check(t, func(context.Context) {
		var flight singleflight.Group
		results := make(chan any)
		for range 3 {
			go func() {
				v, _, _ := flight.Do("k", func() (any, error) { time.Sleep(1); return 7, nil })
				results <- v
			}()
		}
		for range 3 {
			if v := <-results; v != 7 {
				panic(v)
			}
		}
		<-flight.DoChan("k", func() (any, error) { return 8, nil })
	})
}

// Six items come due at one instant, beside tickers of the same period.
func TestDue(t *testing.T) {
	check(t, func(ctx context.Context) {
		q := workqueue.NewTypedDelayingQueue[int]()
		for item := range 6 {
			q.AddAfter(item, time.Second)
		}
		var c clock.WithTicker = clock.RealClock{}
		ticker := c.NewTicker(time.Second)
		for range 3 {
			go func() {
				for {
					item, stopped := q.Get()
					if stopped {
						return
					}
					q.Done(item)
				}
			}()
		}
		<-ticker.C()
		ticker.Stop()
		<-ctx.Done()
		q.ShutDown()
	})
}

// Functions that are due at once, one that is stopped and one whose context outlives the program.
func TestContext(t *testing.T) {
	check(t, func(ctx context.Context) {
		mine, cancel := context.WithCancel(context.Background())
		forever, never := context.WithCancel(context.Background())
		_ = never
		called := make(chan int, 3)
		shared := 0
		shared++
		context.AfterFunc(mine, func() { called <- shared })
		context.AfterFunc(mine, func() { called <- shared })
		context.AfterFunc(ctx, func() {})
		context.AfterFunc(forever, func() { panic("never") })
		stop := context.AfterFunc(mine, func() { panic("stopped") })
		if !stop() || stop() {
			panic("it was not stopped, or twice")
		}
		shared++
		cancel()
		if <-called+<-called != 4 || stop() {
			panic("called early")
		}
		context.AfterFunc(mine, func() { called <- 5 })
		if <-called != 5 {
			panic("not called at once")
		}
	})
}

// What is not ordered by the context is a race, also under the scheduler.
func TestContextRace(t *testing.T) {
	found := explored(t, func(context.Context) {
		mine, cancel := context.WithCancel(context.Background())
		shared, done := 0, make(chan bool)
		context.AfterFunc(mine, func() { shared++; close(done) })
		cancel()
		shared++
		<-done
	})
	if !strings.Contains(found, "data-race: ") {
		t.Errorf("found %q, want a race", found)
	}
}

func TestReflect(t *testing.T) {
	check(t, func(context.Context) {
		a, b, done := make(chan int), make(chan int), make(chan bool)
		go func() { a <- 1 }()
		go func() { b <- 2 }()
		go func() { <-done }()
		cases := []reflect.SelectCase{
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(a)},
			{Dir: reflect.SelectRecv},
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(b)},
			{Dir: reflect.SelectSend, Chan: reflect.ValueOf(done), Send: reflect.ValueOf(true)},
		}
		order := 0
		for range 3 {
			i, v, ok := reflect.Select(cases)
			if ok {
				order = 10*order + int(v.Int())
			}
			cases[i].Chan = reflect.Value{}
		}
		if order != 12 && order != 21 {
			panic(order)
		}
		if i, _, _ := reflect.Select(append(cases, reflect.SelectCase{Dir: reflect.SelectDefault})); i != len(cases) {
			panic(i)
		}
	})
}

// A select for which nothing comes is a leak, and its task can be ended.
func TestReflectBlocks(t *testing.T) {
	found := explored(t, func(context.Context) {
		for range 2 {
			go func() {
				reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(make(chan int))}})
			}()
		}
	})
	if !strings.Contains(found, "leak: ") {
		t.Errorf("found %q, want a leak", found)
	}
}

func TestFatal(t *testing.T) {
	found := explored(t, func(context.Context) {
		for range 2 {
			go log.Fatal("the end")
		}
	})
	if !strings.Contains(found, "ended the process with exit code 1") {
		t.Errorf("found %q, want the exit", found)
	}
}
