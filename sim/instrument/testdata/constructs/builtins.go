package constructs

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

var (
	started    = filled("initialised")
	greeting   = <-started
	_, pending = <-started
	lookup     = map[string]func(chan<- int){"one": func(c chan<- int) { c <- 1 }}
	table1     = struct{ send func(chan int, int) }{func(c chan int, v int) { c <- v }}
	one        = lookup["one"]
	now        = time.Now
	initial    []string
)

const sized = len([2]chan int{}) + cap([len("abc")]map[string]int{})

func init() { initial = append(initial, greeting, fmt.Sprint(pending)) }

func init() {
	var mu sync.Mutex
	mu.Lock()
	initial = append(initial, "second")
	defer mu.Unlock()
}

func builtins() string {
	m := map[string]int{"a": 4, "b": 2}
	counts := map[string]map[string]int{"m": m}
	keep(counts)
	least, most := min(m["a"], m[key("b")], <-filled(3)), max(len(m), <-filled(1))
	pointer := new(<-filled(5))
	copied := make([]int, cap(filled(1, 2)))
	n := copy(copied, []int{m["a"], <-filled(6)})
	clear(counts[key("m")])
	delete(counts, <-filled("none"))
	var array [sized]int
	list := append([]map[string]int(nil), m, make(map[string]int, <-filled(2)))
	list[0]["c"]++
	local := map[string]int{}
	shared := []map[string]int{local}
	local["in a literal"]++
	appended := map[string]int{}
	shared = append(shared, appended)
	appended["appended"]++
	boxed := map[string]int{}
	box := new(boxed)
	boxed["boxed"]++
	return fmt.Sprint(least, most, *pointer, copied, n, len(counts), counts, len(array), list, shared, *box, initial, now().IsZero(), pending)
}

// spawned evaluates the operands of a go statement before it goes on.
func spawned() string {
	results := make(chan string, 16)
	send := func(args ...any) { results <- fmt.Sprint(args...) }
	names, calls := []string{"before"}, map[string]func(...any){"f": send}
	index, grown := 0, [1]string{"element"}
	gate := make(chan bool)
	late := func(args ...any) { <-gate; send(args...) }
	ready := []func(...any){late}
	go ready[index](names[index], names[0], grown[index], len(names))
	ready[0], names[0] = nil, "after"
	grown[0] = "changed"
	gate <- true
	out := []string{<-results}
	calls["late"] = late
	go calls["late"](1<<index, index == 0, calls["none"] == nil)
	calls["late"], index = nil, 2
	gate <- true
	out = append(out, <-results)
	go generic2[string](late, "generic")
	gate <- true
	out = append(out, <-results)
	c := filled(1)
	done := make(chan int, 2)
	go one(done)
	go table1.send(done, <-c)
	go func(f func(...any), _ ...int) { f("variadic") }(send, []int{1, 2}...)
	out = append(out, <-results, fmt.Sprint(<-done, <-done))
	go typed(results, index == 2, 1<<index, index+1)
	out = append(out, <-results)
	target, source := make([]int, 1), []int{7}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); copy(target, source) }()
	wg.Wait()
	return fmt.Sprint(out, target)
}

func generic2[T any](f func(...any), v T) { f(v) }

type yes bool

func typed(results chan<- string, y yes, wide int64, n int) {
	var u atomic.Int64
	u.Store(1 << len(fmt.Sprint(n)))
	results <- fmt.Sprintf("%T %T %d", y, wide, u.Load())
}
