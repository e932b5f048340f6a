package constructs

import "fmt"

func labels() string {
	a, done := filled(1, 2, 3, 4), make(chan bool)
	var out []string
	say := func(args ...any) { out = append(out, fmt.Sprint(args...)) }
again:
	select {
	case v := <-a:
		if v == 1 {
			goto again
		}
		say("after goto ", v)
	case <-done:
	}
receive:
	for v := range a {
		for {
			select {
			case <-done:
			default:
				if v == 3 {
					continue receive
				}
				say("default ", v)
				break receive
			}
		}
	}
	m := map[string][]int{"a": {1, 2}, "b": {3}, "c": nil}
	keep(m)
	n := 0
each:
	for k, list := range m {
		if k == "c" {
			continue
		}
		for _, v := range list {
			if n += v; v == 2 {
				continue each
			}
		}
	}
found:
	for k := range m {
		switch {
		case k == "b":
			say("found ", k)
			break found
		}
		if len(m[k]) < 0 {
			goto end
		}
	}
end:
	say(n, last(done))
	return fmt.Sprint(out)
}

// last ends in a select and in loops without a return.
func last(done chan bool) int {
outer:
	for {
		select {
		case <-done:
			return 1
		default:
		case done <- true:
			select {}
		}
		for {
			select {
			default:
				break outer
			}
		}
	}
	select {
	case <-done:
		panic("closed")
	default:
		goto out
	}
out:
	for {
		switch {
		default:
			return 2
		}
	}
}
