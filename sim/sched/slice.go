package sched

// push appends v to s. The race detector sees what append and copy do when a slice grows, even in functions that it is told
// to leave alone, so tasks and the root grow the slices that they share by hand.
//
//go:norace
func push[T any](s []T, v T) []T {
	if len(s) == cap(s) {
		grown := make([]T, len(s), 2*cap(s)+8)
		//lint:ignore S1001 copy is just what the detector would see
		for i := range s {
			grown[i] = s[i]
		}
		s = grown
	}
	s = s[:len(s)+1]
	s[len(s)-1] = v
	return s
}
