package constructs

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type account struct {
	mu    sync.RWMutex
	names map[string]bool
	left  atomic.Int32
}

// guardedRead names its result, which deferred calls change.
func (a *account) guardedRead(name string) (err error) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	defer a.left.Add(-1)
	a.names[name] = true
	return nil
}

func deferredSends(c chan int) {
	for i := range 3 {
		defer func() { c <- i }()
	}
	defer close(<-filled(make(chan int)))
	for k := range map[string]int{"only": 1} {
		defer func(k string, n int) { c <- len(k) + n }(k, <-filled(10))
	}
}

func closedTwice() (said any) {
	defer func() { said = recover() }()
	c := make(chan int)
	defer close(c)
	close(c)
	return nil
}

func sendOnClosed() (said any) {
	defer func() {
		said = recover()
		said = fmt.Sprint(said)
	}()
	c := filled[int]()
	select {
	case c <- 1:
	default:
	}
	return
}

func nilMap() (said any) {
	defer func() { said = recover() }()
	var m map[string][]int
	keep(m)
	m[key("k")] = append(m["k"], len(m))
	return
}

func defers() string {
	a := &account{}
	first := a.guardedRead("nil map")
	a.names = map[string]bool{}
	second := a.guardedRead("a")
	free := a.mu.TryLock()
	c := make(chan int, 5)
	deferredSends(c)
	close(c)
	var sent []int
	for v := range c {
		sent = append(sent, v)
	}
	return fmt.Sprint(first, second, free, a.left.Load(), sent, closedTwice(), sendOnClosed(), nilMap())
}
