package constructs

import (
	"fmt"
	"sync"
)

type guarded[T any] struct {
	sync.Mutex
	*sync.WaitGroup
	values map[string]T
	sent   stream[T]
}

type stream[T any] = chan T

type (
	source[T any]              interface{ chan T | <-chan T }
	nested[T any]              interface{ source[T] }
	index[K comparable, V any] interface {
		comparableIndex[K, V]
		any
	}
	comparableIndex[K comparable, V any] interface{ ~map[K]V }
)

func (g *guarded[T]) set(key string, v T) (old T) {
	g.Lock()
	defer g.Unlock()
	old, g.values[key] = g.values[key], v
	g.sent <- v
	return old
}

func exact[C chan int](c C) (sum int) {
	for v := range c {
		sum += v
	}
	return sum
}

func either[C source[T], T any](c C) (last T) {
	first := <-c
	for last = range c {
	}
	select {
	case v, ok := <-c:
		return []T{first, v, last}[map[bool]int{true: 0, false: 2}[ok]]
	}
}

func deep[C nested[int]](c C) (n int) {
	for range c {
		n++
	}
	return n
}

func plainMap[M map[string]V, V any](m M) (n int) {
	for k := range m {
		n += len(k)
	}
	m[key("plain")] = m["a"]
	delete(m, "a")
	return n + len(m)
}

func indexed[M index[K, V], K comparable, V any](m M, k K) (v V, n int) {
	for range m {
		n++
	}
	v = m[k]
	clear(m)
	return v, n
}

func locking[T any, P interface {
	*T
	sync.Locker
}](v T) string {
	P(&v).Lock()
	defer P(&v).Unlock()
	return "locked"
}

func generics() string {
	g := &guarded[string]{WaitGroup: new(sync.WaitGroup), values: map[string]string{}, sent: make(stream[string], 2)}
	g.set("a", "one")
	old := g.set("a", "two")
	g.Add(1)
	set, lock := g.set, (*guarded[string]).TryLock
	go g.Done()
	g.Wait()
	taken := lock(g)
	cleanup(g.Unlock)
	<-g.sent
	set("a", "three")
	one, two, three := filled(1, 2), filled("x", "y", "z"), filled(1, 2, 3)
	v, n := indexed(map[string]int{"a": 4}, "a")
	return fmt.Sprint(old, taken, <-g.sent, len(g.sent), exact(one), either[<-chan string](two), deep(three),
		plainMap(map[string]int{"a": 1, "bb": 2}), v, n, locking[sync.Mutex](sync.Mutex{}))
}

// filled is a closed channel with some values in it.
func filled[T any](values ...T) chan T {
	c := make(chan T, len(values))
	defer close(c)
	for _, v := range values {
		c <- v
	}
	return c
}
