package constructs

import "fmt"

// traced says the order in which its parts are evaluated.
type traced struct {
	said []string
	m    map[string]int
	list []int
}

func (t *traced) say(s string, v int) int {
	t.said = append(t.said, s)
	return v
}

func (t *traced) name(s string) string { t.said = append(t.said, s); return s }

func (t *traced) from(s string, values ...int) <-chan int { return filled(t.say(s, values[0])) }

func (t *traced) maps(s string) map[string]int { t.said = append(t.said, s); return t.m }

func (t *traced) both(s string) (int, int) { return t.say(s, 8), 9 }

func orders() string {
	t := &traced{m: map[string]int{}, list: []int{0, 1, 2}}
	var x, y int
	var ch, h chan int = nil, make(chan int, 1)
	x, y = <-t.from("a", 1), <-t.from("b", 2)
	t.m[t.name("k")], ch = t.say("g", 3), h
	t.m[t.name("k")] += <-t.from("c", 4)
	t.maps("m1")[t.name("n")] -= t.say("v", 1)
	t.maps("m2")[t.name("p")] = t.list[t.say("i", 2)] + t.m["k"]
	t.maps("m3")[t.name("q")]++
	t.list[t.say("j", 1)], t.list[0] = t.m[t.name("k")], <-t.from("d", 5)
	t.m["k"], t.m["n"] = t.both("both")
	t.m["swap"], t.m["k"] = t.m["k"], t.m["swap"]
	ch <- t.say("sent", 6) + t.m[t.name("n")]
	fmt.Fprint(h2(t, h), t.say("late", 0))
	(t.m["paren"]), x = <-t.from("e", 7), x+y
	m2 := map[string]map[string][]int{"a": {"b": {1}}}
	keep(m2)
	m2["a"][t.name("b")][<-t.from("zero", 0)] <<= t.say("shift", 3)
	t.m["big"] = 1 << <-t.from("count", 4)
	v, ok := (m2[t.name("none")][t.name("b")])
	w, ok2 := (<-t.from("w", 5))
	p := &t.list[t.say("address", 2)]
	*p, t.m[t.name("last")] = t.m["k"], *p
	return fmt.Sprint(x, y, <-h, t.m, t.list, m2, v, ok, w, ok2, t.said)
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func h2(t *traced, h chan int) discard { t.say("writer", len(h)); return discard{} }
