package sched

import "sync"

// spin is a mutex whose edges the race detector does not see.
type spin struct{ mu sync.Mutex }

//go:norace
func (s *spin) Lock() {
	hide()
	s.mu.Lock()
}

//go:norace
func (s *spin) Unlock() {
	s.mu.Unlock()
	unhide()
}
