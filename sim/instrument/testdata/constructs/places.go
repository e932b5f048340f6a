package constructs

import (
	"fmt"
	"sync"
)

type lockAlias = sync.Mutex

type holder struct {
	lockAlias
	f    int
	m    map[string]*holder
	send func(chan<- int)
}

// places has operations wherever the grammar lets an expression or a simple statement stand.
func places() string {
	c, steps := make(chan int, 8), 0
	for c <- 1; steps < 2; c <- 2 {
		steps++
	}
	if c <- 3; len(c) != 4 {
		return "init was not run"
	}
	switch c <- 4; {
	}
	h := &holder{m: map[string]*holder{}}
	*(<-filled(&h.f)), (<-filled(h)).m["self"] = <-c, h
	(<-filled(h.m))["again"] = <-filled(h)
	(<-filled(h)).f += <-c
	(<-filled(func() { c <- 5 }))()
	defer (<-filled(func(int) {}))(<-c)
	go (<-filled(h.m["self"].done))(<-filled(6))
	h.m["again"].Lock()
	h.m[key("self")].Unlock()
	unlock := h.m["self"].lockAlias.TryLock()
	list := []string{<-filled("b"), 2: <-filled("c")}
	part := list[<-filled(0):<-filled(2):max(<-filled(1), 3)]
	texts := map[string]any{<-filled("k"): any(<-filled[any](7)).(int), key("l"): [2]bool{<-filled(true)}}
	nested := func() (int, string) { return <-filled(8), <-filled("s") + list[<-filled(2)] }
	n, s := nested()
	var array [3]struct{ c chan int }
	array[1].c = make(chan int, 1)
	array[<-filled(1)].c <- <-c
	var x, y = <-array[1].c, -<-c
	(close)(c)
once:
	for range c {
		defer func() { (delete)(h.m, "self") }()
		break once
	}
	{
		c := filled[struct{}]()
	empty:
		_, ok := <-c
		if ok {
			goto empty
		}
	}
	return fmt.Sprint(h.f, len(h.m), unlock, part, len(part), cap(part), texts, n, s, x, y)
}

func (h *holder) done(int) {}
