package sim_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim"
)

var strangersSeen = make(chan bool)

// A goroutine that runs beside all worlds of the process, from before the first one, and uses what the scheduler knows.
var strangers = func() (seen *sync.Map) {
	seen = &sync.Map{}
	go func() {
		var mu sync.Mutex
		for range time.Tick(time.Millisecond) {
			mu.Lock()
			seen.Store(len(strangersSeen), true)
			mu.Unlock()
			strangersSeen <- true
		}
	}()
	return seen
}()

// TestStrangersPassThrough: goroutines from outside of the bubble are not the scheduler's, and do not disturb it.
func TestStrangersPassThrough(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 20, Twice: true}, program(func(context.Context) {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				mu.Lock()
				defer mu.Unlock()
			})
		}
		wg.Wait()
	}))
	assert.Empty(t, s.Findings)
	<-strangersSeen
	_, there := strangers.Load(0)
	assert.True(t, there, "the stranger does run")
}
