// Package foreign stands for a library that is not instrumented.
package foreign

import (
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
)

// Drain takes a queue, whoever made it.
func Drain(q workqueue.TypedRateLimitingInterface[string], c clock.Clock) int {
	c.Sleep(1)
	return q.Len()
}

// Handlers are called by the library.
type Handlers struct{ OnAdd func(name string) }

// Store is an interface of the library.
type Store interface {
	Get(key string) (string, bool)
}

// Map is a Store.
type Map map[string]string

// Get returns an element.
func (m Map) Get(key string) (string, bool) { v, ok := m[key]; return v, ok }

// Open returns a Store.
func Open() Store { return Map{"a": "1"} }

// Each calls f for some names, on a goroutine of its own.
func Each(f func(name string)) {
	done := make(chan struct{})
	go func() { defer close(done); f("x"); f("y") }()
	<-done
}

// Handle calls the handlers.
func Handle(h Handlers) { h.OnAdd("z") }

// Three returns three values.
func Three() (int, string, error) { return 3, "three", nil }
