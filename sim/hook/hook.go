package hook

import (
	"maps"
	"slices"
	"unsafe"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Site is a place in the source of the program under test.
type Site = sched.Site

// announced are the instrumented packages, and sites their places. They are written at init only.
var (
	announced = map[string]bool{}
	sites     []*Site
)

// Announce tells that a file of an instrumented package is part of this binary.
func Announce(pkg string, of []Site) {
	announced[pkg] = true
	for i := range of {
		sites = append(sites, &of[i])
	}
}

// Announced returns the instrumented packages of this binary, sorted.
func Announced() []string { return slices.Sorted(maps.Keys(announced)) }

// Sites returns all places of the instrumented packages, in the same order in each process of a binary.
func Sites() []*Site { return sites }

// Go is the go statement.
func Go(f func(), s *Site) { sched.Go("", f, s) }

// Touch is a point before a statement that touches memory which other goroutines can reach.
func Touch(s *Site) {
	s.Reach()
	if sched.Shared() {
		sched.Enter(sched.Op{Kind: sched.Touch, Site: s})
	}
}

// Back follows a call of a library, which may have blocked: the task waits for its turn.
func Back() { sched.Back() }

// Back1 is Back around a call with one result.
func Back1[A any](a A) A {
	sched.Back()
	return a
}

// Back2 is Back around a call with two results.
func Back2[A, B any](a A, b B) (A, B) {
	sched.Back()
	return a, b
}

// Back3 is Back around a call with three results.
func Back3[A, B, C any](a A, b B, c C) (A, B, C) {
	sched.Back()
	return a, b, c
}

// At is a point before an atomic operation, or one of a sync.Map, on what p points to.
func At[T any](p *T, s *Site) *T {
	sched.Enter(sched.Op{Kind: sched.Atomic, Site: s, Object: unsafe.Pointer(p)})
	return p
}

// Then is At behind the last argument of the operation, where the arguments make calls.
func Then[T any](v T, s *Site) T {
	sched.Enter(sched.Op{Kind: sched.Atomic, Site: s})
	return v
}

// Bind is the method value of a stand-in, such as mu.Unlock without the call.
func Bind[T any](p *T, f func(*T, *Site), s *Site) func() {
	return func() { f(p, s) }
}
