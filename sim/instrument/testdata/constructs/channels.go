package constructs

import "fmt"

type pipe chan int

func generic[C ~chan int](c C) int {
	go func() { c <- 5; close(c) }()
	sum := 0
	for v := range c {
		sum += v
	}
	return sum
}

func channels() string {
	ch := make(chan int, 4)
	named := make(pipe, 1)
	ch <- 1
	named <- len("two")
	v := <-ch
	w, ok := <-named
	var x, ok2 = <-func() chan int { c := make(chan int, 1); c <- 9; return c }()
	in := make(chan chan int, 1)
	in <- ch
	<-in <- 7 /* to the inner one */
	ch <- 8   // on a line of its own
	close(ch)
	total := 0
	for range named2() {
		total++
	}
	for v := range ch {
		total += v
	}
	var last struct{ n int }
	again := make(chan int, 2)
	again <- 3
	again <- 4
	close(
		again,
	)
	for last.n = range again {
		total += last.n
	}
	defer close(in)
	return fmt.Sprint(v, w, ok, x, ok2, total, last, generic(make(chan int)))
}

func named2() <-chan string {
	c := make(chan string)
	go func() {
		defer close(c)
		c <- "a"
		c <- "b"
	}()
	return c
}
