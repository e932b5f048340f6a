package constructs

import (
	"fmt"
	"sync"
	"time"
)

type worker struct {
	sync.WaitGroup
	mu   sync.Mutex
	got  []string
	hook func(string)
}

func (w *worker) add(s string, more ...int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.got = append(w.got, fmt.Sprint(s, len(more)))
	w.Done()
}

func two() (string, int) { return "pair", 2 }

func run[T any](w *worker, v T) { w.add(fmt.Sprint(v)) }

func gostmts() string {
	w := &worker{}
	start := func(f func()) {
		w.Add(1)
		f()
		w.Wait()
	}
	start(func() { go func() { w.add("literal") }() })
	start(func() { go w.add("method", 1, 2) })
	start(func() { go w.add(two()) })
	start(func() { go run(w, 1.5) })
	start(func() { go run[int](w, 1) })
	start(func() {
		go func(name string, n int) {
			w.add(name, n)
		}(
			fmt.Sprint("argument"),
			4,
		)
	})
	start(func() { go func() int { w.add("result"); return 1 }() })
	start(func() { w.hook = func(s string) { w.add(s) }; go w.hook("field"); w.hook = nil })
	start(func() { more := []int{1}; go w.add("variadic", more...) })
	start(func() { go w.Done() })
	start(func() { go (*worker).add(w, "expression") })
	gone := make(chan int)
	go close(gone)
	<-gone
	m := map[string]int{"a": 1}
	keep(m)
	go delete(m, "none")
	go time.Sleep(time.Duration(len(m)))
	go println2(nil, 'x', w.got)
	return fmt.Sprint(w.got)
}

func keep(any) {}

func println2(args ...any) {}
