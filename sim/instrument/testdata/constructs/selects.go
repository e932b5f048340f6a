package constructs

import "fmt"

func first(a, b <-chan int) (int, bool) {
	select {
	case v := <-a:
		return v, true
	case v, ok := <-b:
		return -v, ok
	}
}

func selects() string {
	a, b := make(chan int, 1), make(chan int, 1)
	var out []string
	say := func(args ...any) { out = append(out, fmt.Sprint(args...)) }
	select {
	case <-a:
		say("not ready")
	default:
		say("default")
	}
	select {
	default:
		say("only default")
	}
	select {
	case a <- func() int {
		return 1
	}(): // sends
		say("sent")
	case (<-b):
		say("never")
	}
	say(first(a, b))
	m := map[string]int{}
	b <- 6
	var ok bool
	keep := func() map[string]int { return m }
	select {
	case keep()["k"], ok = <-b:
		say(m["k"], ok)
	}
	a <- 2
loop:
	for i := 0; ; i++ {
		select {
		case v := <-a:
			select {
			case b <- v:
				say("inner")
				break
			case <-a:
			}
			continue loop
		case v, ok := <-b:
			say(v, ok)
			break loop
		}
	}
	done := make(chan struct{})
	close(done)
done:
	select {
	case <-done:
		if len(out) > 0 {
			break done
		}
		say("unreachable")
	case <-never():
		say("never")
	}
	return fmt.Sprint(out)
}

func never() chan int { return nil }

func forever() {
	select {}
}
