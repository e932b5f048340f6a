package sched

import (
	"time"
	"unsafe"
)

// Sleeper is a sleep that another task may cut short.
type Sleeper struct {
	task     *Task
	canceled bool
}

// NewSleeper returns a sleeper that nobody sleeps in yet.
func NewSleeper() *Sleeper { return &Sleeper{} }

// Sleep parks the calling task for d of virtual time; it returns false if Cancel was called.
//
//go:norace
func (s *Sleeper) Sleep(d time.Duration, site *Site) bool {
	if s.task == nil {
		s.task = Hold()
	}
	if s.canceled {
		return false
	}
	parkUntil(d, site)
	return !s.canceled
}

// Cancel ends the sleep at once.
//
//go:norace
func (s *Sleeper) Cancel() {
	s.canceled = true
	if t := s.task; t != nil && t.state == parked {
		t.op.Until = 0
	}
}

// Timed says that the calling task sleeps on behalf of a timer, which the program does not have to wait for.
//
//go:norace
func (t *Task) Timed() { t.timer = true }

// Awake says that the task now does what its timer was for.
//
//go:norace
func (t *Task) Awake() { t.timer = false }

// Attach remembers v for the object at p until the end of the world.
//
//go:norace
func Attach(p unsafe.Pointer, v any) { active.object(p).attached = v }

// Attached returns what Attach was given for p in this world, or nil.
//
//go:norace
func Attached(p unsafe.Pointer) any {
	if active == nil {
		return nil
	}
	return active.object(p).attached
}

// Exit ends the simulated process of the calling task, as os.Exit does a real one, and does not return. With a code
// other than 0 it is a finding.
func (t *Task) Exit(code int, site *Site) {
	if code != 0 {
		t.world.Report(Finding{
			Kind: "panic", Place: site.Position(), Summary: t.name + " ended the process with exit code " + itoa(code),
		})
	}
	t.world.Stop()
	t.die()
}
