package fakes

import (
	"time"

	"github.com/snapstorm/snapstorm/sim"
)

// A task of a world that was stopped sleeps on for shortestNap at most, or for
// the given part of what it has left to sleep.
const (
	shortestNap = time.Second
	napParts    = 100
)

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
		sim.Sleep(min(left, max(shortestNap, left/napParts)))
	}
	return false
}
