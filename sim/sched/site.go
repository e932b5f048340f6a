package sched

import "strconv"

// Site is a place in the source of the program under test. The instrumenter lays sites down as static data.
type Site struct {
	File string // relative to the module's root, with slashes
	Line int
	Func string // the function around it, such as "(*handover).notify"
	Op   string // the operation as the source has it, such as "send m.notify[pod]"

	reached bool
	hash    uint64 // of all the above, computed when first used
}

// Position returns "file:line".
func (s *Site) Position() string {
	if s == nil || s.File == "" {
		return ""
	}
	return s.File + ":" + strconv.Itoa(s.Line)
}

// Reach tells that the program came to the place. Goroutines that run free may do so at once.
//
//go:norace
func (s *Site) Reach() {
	if s != nil {
		s.reached = true
	}
}

// WasReached says whether the program came to the place in this process.
//
//go:norace
func (s *Site) WasReached() bool { return s.reached }

//go:norace
func (s *Site) sum() uint64 {
	if s == nil {
		return 1
	}
	if s.hash == 0 {
		h := mixString(fnvOffset, s.File)
		h = mix(h, uint64(s.Line))
		s.hash = mixString(h, s.Op) | 1
	}
	return s.hash
}
