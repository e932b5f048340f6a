package sched

import "strconv"

// Site is a place in the source of the program under test. The instrumenter lays sites down as static data.
type Site struct {
	File string // relative to the module's root, with slashes
	Line int
	Func string // the function around it, such as "(*handover).notify"
	Op   string // the operation as the source has it, such as "send m.notify[pod]"

	hash uint64 // of all the above, computed when first used
}

// Position returns "file:line".
func (s *Site) Position() string {
	if s == nil || s.File == "" {
		return ""
	}
	return s.File + ":" + strconv.Itoa(s.Line)
}

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
