package hook

import (
	"sort"
	"unsafe"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Site is a place in the source of the program under test.
type Site = sched.Site

// announced counts the sites of each instrumented package. It is written at init only.
var announced = map[string]int{}

// Announce tells that a file of an instrumented package is part of this binary.
func Announce(pkg string, sites int) { announced[pkg] += sites }

// Announced returns the instrumented packages of this binary, sorted, and how many sites they have in all.
func Announced() (packages []string, sites int) {
	for p, n := range announced {
		packages = append(packages, p)
		sites += n
	}
	sort.Strings(packages)
	return packages, sites
}

// Go is the go statement.
func Go(f func(), s *Site) { sched.Go("", f, s) }

// Touch is a point before a statement that touches memory which other goroutines can reach.
func Touch(s *Site) {
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
