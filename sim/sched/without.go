package sched

// Mechanisms names parts of the scheduler that its own tests leave out, to show that a test notices.
type Mechanisms struct {
	Hiding    bool // the scheduler's hand-offs are hidden from the race detector
	Effects   bool // effects are part of the hash
	LastRites bool // the deferred calls of dying tasks are ordered
}

// without is what the world that runs now leaves out. It changes only between worlds.
var without Mechanisms
