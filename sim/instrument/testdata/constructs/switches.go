package constructs

import (
	"fmt"
	"sync"
)

func switches() string {
	values, boxed := filled(1, 2, 3, 4, 5, 6), filled[any](make(chan int, 1), "text", map[string]int{"k": 8}, nil)
	m := map[string]int{"k": 3}
	keep(m)
	var mu sync.Mutex
	var out []any
	switch v := <-values; v {
	case 2:
	case <-values - 1:
		out = append(out, "case receives")
		fallthrough
	case <-values:
		out = append(out, v)
	}
	switch mu.Lock(); {
	case mu.TryLock():
	case m["k"] == <-values:
		out = append(out, "map and channel")
	}
	mu.Unlock()
	for range 4 {
		switch x := (<-boxed).(type) {
		case chan int:
			x <- 7
			out = append(out, <-x)
		case map[string]int:
			x["k"]++
			out = append(out, x[key("k")])
		case string, nil:
			out = append(out, x)
		}
	}
	switch v, ok := <-boxed; v.(type) {
	case nil:
		out = append(out, ok)
	}
	switch m[key("new")] = <-values; m["new"] {
	case 4, 5:
		out = append(out, len(m))
	}
	if v, ok := <-values; !ok {
		out = append(out, "closed early")
	} else if w := <-values; w == v+1 {
		out = append(out, v, w)
	} else if _, ok := <-values; ok {
		out = append(out, "too many")
	}
	for v, ok := <-values; ok; v, ok = <-values {
		out = append(out, v)
	}
	return fmt.Sprint(out)
}
