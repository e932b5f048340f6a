package constructs

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
)

type tree struct {
	mu          sync.Mutex
	left, right *tree
	value       int
}

func (t *tree) all() iter.Seq2[int, *tree] {
	return func(yield func(int, *tree) bool) { t.walk(0, yield) }
}

func (t *tree) walk(depth int, yield func(int, *tree) bool) bool {
	if t == nil {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.left.walk(depth+1, yield) && yield(depth, t) && t.right.walk(depth+1, yield)
}

func received[T any](c <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range c {
			if !yield(v) {
				return
			}
		}
	}
}

func (t *tree) find(value int, c chan<- int) (depth int) {
	defer func() { c <- depth }()
	for depth, node := range t.all() {
		c <- node.value
		defer func() { c <- -node.value }()
		if node.value == value {
			return depth
		}
	}
	return -1
}

func iterators() string {
	t := &tree{value: 4, left: &tree{value: 2}, right: &tree{value: 6, left: &tree{value: 5}}}
	c := make(chan int, 16)
	found := t.find(5, c)
	close(c)
	var out []any
next:
	for v := range received(c) {
		for i := range v {
			if i == 3 {
				continue next
			}
			select {
			case never() <- <-filled(0):
			case w, ok := <-c:
				out = append(out, w, ok)
				break next
			}
		}
		out = append(out, v)
	}
	for range t.all() {
		break
	}
	for i := range len(filled(1, 2)) {
		defer func() { out[i] = i }()
	}
	pull, stop := iter.Pull(maps.Keys(map[string]int{"pulled": 1}))
	defer stop()
	name, ok := pull()
	sorted := slices.Sorted(maps.Values[map[string]int](map[string]int{"b": 2, "a": 1}))
	return fmt.Sprint(found, t.mu.TryLock(), out, name, ok, sorted)
}
