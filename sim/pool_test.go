package sim_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/sim/sched"
)

// buffers counts how often its pool had nothing.
type buffers struct {
	pool sync.Pool
	mu   sync.Mutex
	made int
}

func newBuffers() *buffers {
	b := &buffers{}
	b.pool.New = func() any {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.made++
		return new([]byte)
	}
	return b
}

// borrow takes a buffer and gives it back, some times over.
func (b *buffers) borrow() {
	for range 20 {
		buffer := b.pool.Get().(*[]byte)
		*buffer = append((*buffer)[:0], "event"...)
		b.pool.Put(buffer)
	}
}

// TestPoolIsReplayed: under -race a native pool drops some of what it is given, at random, and what it keeps depends on
// the processor a goroutine runs on. So a run could not be repeated.
func TestPoolIsReplayed(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 50, Twice: true}, program(func(context.Context) {
		b := newBuffers()
		var workers sync.WaitGroup
		for range 2 {
			workers.Go(b.borrow)
		}
		workers.Wait()
	}))
	assert.Empty(t, s.Findings)
}

// TestPoolMayBeEmpty: the garbage collector may empty a pool at any time, also between a Put and the next Get.
func TestPoolMayBeEmpty(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 100, First: true}, program(func(context.Context) {
		var pool sync.Pool
		pool.Put(new(int))
		_ = pool.Get().(*int)
	}))
	assert.Equal(t, []string{"panic"}, kinds(s))
}

// TestPoolIsNotShared: what two tasks take out of a pool at one time are two things, and what goes through the pool is
// handed over with its contents.
func TestPoolIsNotShared(t *testing.T) {
	early := func(b *buffers) {
		buffer := b.pool.Get().(*[]byte)
		b.pool.Put(buffer)
		*buffer = append((*buffer)[:0], "event"...)
	}
	for name, use := range map[string]func(*buffers){"race": early, "fixed": (*buffers).borrow} {
		t.Run(name, func(t *testing.T) {
			s := sim.Explore(t, sim.Options{Schedules: 100}, program(func(context.Context) {
				b := newBuffers()
				go use(b)
				go use(b)
			}))
			if sched.RaceEnabled && name == "race" {
				assert.Contains(t, kinds(s), "data-race")
			} else {
				assert.Empty(t, s.Findings)
			}
		})
	}
}
