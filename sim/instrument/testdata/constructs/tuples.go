package constructs

import (
	"errors"
	"fmt"
)

type cache struct {
	byName map[string]int
	nested map[string]map[string]int
	err    error
}

func (c *cache) load(name string) (int, error) { return len(name), c.err }

func name(s string) string { return s + s }

func tuples() string {
	c := &cache{byName: map[string]int{}, nested: map[string]map[string]int{"n": {}}}
	var err error
	var ok bool
	ch := make(chan int, 1)
	ch <- 3
	c.byName["a"], err = c.load("aaaa")
	c.byName["b"], ok = <-ch
	c.nested["n"]["x"], c.err = c.load(
		"two lines",
	)
	c.byName["c"], c.byName["d"] = len(name("c")), c.byName["a"]
	c.byName["d"], c.byName["c"] = c.byName["c"], 1
	c.byName[name("e")], err = c.load("key with a call")
	if c.byName["f"], err = c.load("ffffff"); err != nil {
		return "failed"
	}
	c.err = errors.New("no more")
again:
	c.byName["g"], _ = c.load("g")
	if len(c.byName) > 99 {
		goto again
	}
	return fmt.Sprint(c.byName, c.nested, err, ok)
}
