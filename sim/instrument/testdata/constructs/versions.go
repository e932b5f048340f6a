//go:build go1.21

package constructs

import "fmt"

// versions has one variable for all rounds of a loop, since its file is of Go 1.21.
func versions() string {
	gate, results := make(chan bool), make(chan int, 16)
	send := func(v int) { <-gate; results <- v }
	for _, v := range []int{1, 2, 3} {
		go send(v)
		defer func() { _ = v }()
	}
	for _, v := range map[string]int{"a": 5, "b": 5} {
		go send(v)
		defer func() { _ = v }()
	}
	for v := range filled(6, 7) {
		go send(v)
	}
	close(gate)
	sum := 0
	for range "1234567" {
		sum += <-results
	}
	return fmt.Sprint(sum)
}
