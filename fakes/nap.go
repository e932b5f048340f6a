package fakes

import (
	"time"

	"github.com/snapstorm/snapstorm/sim"
)

// longestNap bounds how long a task of a world sleeps on after it was stopped.
const longestNap = 10 * time.Minute

// nap sleeps until an instant; it returns false if it was stopped. In a world
// the sleep of a task cannot be cut short, so it naps and looks.
func nap(until time.Time, stop <-chan struct{}) bool {
	if sim.CurrentProcess() == nil {
		select {
		case <-time.After(time.Until(until)):
			return true
		case <-stop:
			return false
		}
	}
	for !closed(stop) {
		left := time.Until(until)
		if left <= 0 {
			return true
		}
		sim.Sleep(min(left, longestNap))
	}
	return false
}
