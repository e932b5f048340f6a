package hook

import (
	"reflect"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Case is a communication clause of a select statement.
type Case interface {
	try() bool                  // does it, if that is possible without blocking
	native() reflect.SelectCase // to block in
	chosen(reflect.Value, bool) // what the native select received
	op() sched.Op               // the operation, without its place
}

// RecvCase is a receiving clause. V and OK are what it received.
type RecvCase[T any] struct {
	V  T
	OK bool
	ch <-chan T
}

// RecvFrom makes a receiving clause.
func RecvFrom[T any](ch <-chan T) *RecvCase[T] { return &RecvCase[T]{ch: ch} }

func (c *RecvCase[T]) try() bool {
	select {
	case c.V, c.OK = <-c.ch:
		return true
	default:
		return false
	}
}

func (c *RecvCase[T]) native() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c.ch)}
}

func (c *RecvCase[T]) chosen(v reflect.Value, ok bool) {
	c.OK = ok
	if ok {
		reflect.ValueOf(&c.V).Elem().Set(v)
	}
}

func (c *RecvCase[T]) closed() bool { return !c.OK }

func (c *RecvCase[T]) op() sched.Op {
	return sched.Op{Kind: sched.Recv, Object: identity(c.ch), Elem: reflect.TypeFor[T]()}
}

// SendCase is a sending clause.
type SendCase[T any] struct {
	ch chan<- T
	v  T
}

// Case makes a sending clause of the channel that To was given.
func (o Out[T]) Case(v T) *SendCase[T] { return &SendCase[T]{o.ch, v} }

func (c *SendCase[T]) try() bool {
	select {
	case c.ch <- c.v:
		return true
	default:
		return false
	}
}

func (c *SendCase[T]) native() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(c.ch), Send: reflect.ValueOf(&c.v).Elem()}
}

func (c *SendCase[T]) chosen(reflect.Value, bool) {}

func (c *SendCase[T]) op() sched.Op {
	return sched.Op{Kind: sched.Send, Object: identity(c.ch), Elem: reflect.TypeFor[T]()}
}

// Select is the select statement. It returns the index of the clause that was chosen, and -1 for the default clause.
// Where several clauses are ready the scheduler chooses: it says which one is tried first, and the others follow in the
// order of the source.
func Select(s *Site, hasDefault bool, cases ...Case) int {
	t := sched.Enter(sched.Op{Kind: sched.Select, Site: s, N: len(cases)})
	if t == nil {
		return nativeSelect(hasDefault, cases, nil)
	}
	outside, sends := look(t, s, hasDefault, cases)
	first := 0
	if len(cases) > 1 {
		first = t.Answer()
	}
	for {
		if k := tryFrom(first, cases); k >= 0 {
			return k
		}
		if hasDefault {
			t.Yielded()
			return -1
		}
		if !outside {
			break
		}
		t.Poll()
	}
	if sends {
		t.OnlySends()
	}
	return block(t, s, first, cases)
}

// look notes who uses the channels of a select. It says whether some are from outside of the bubble, and whether all that
// can happen is a send.
func look(t *sched.Task, s *Site, hasDefault bool, cases []Case) (outside, sends bool) {
	receives, ready, ways := false, uint64(0), len(cases)
	if hasDefault {
		ways++
	}
	for i, c := range cases {
		op := c.op()
		if op.Object == nil {
			continue
		}
		op.Site, op.N = s, ways
		t.Uses(op)
		outside = outside || t.Outside(op.Object)
		if t.Ready(op.Kind, op.Object) && i < 64 {
			ready |= 1 << i
		}
		sends, receives = sends || op.Kind == sched.Send, receives || op.Kind == sched.Recv
	}
	if ready&(ready-1) != 0 {
		t.CouldBe(ready)
	}
	return outside, sends && !receives
}

// block waits in all clauses natively, and returns the one that was chosen.
func block(t *sched.Task, s *Site, first int, cases []Case) int {
	t.Block()
	chosen := nativeSelect(false, cases, t.Kill())
	t.Unblock()
	if r, ok := cases[chosen].(interface{ closed() bool }); ok && r.closed() {
		// Several channels may have been closed at once, in any order: contexts end their children in that of a map. It took
		// nothing away, so the choice is still free.
		look(t, s, false, cases)
		return tryFrom(first, cases)
	}
	return chosen
}

// tryFrom tries the clauses in order from the first one on, and returns the one that was done, or -1.
func tryFrom(first int, cases []Case) int {
	for i := range cases {
		if k := (first + i) % len(cases); cases[k].try() {
			return k
		}
	}
	return -1
}

// nativeSelect blocks in all cases at once; if kill is not nil, it also ends when that is closed.
func nativeSelect(hasDefault bool, cases []Case, kill <-chan struct{}) int {
	native := make([]reflect.SelectCase, len(cases), len(cases)+1)
	for i, c := range cases {
		native[i] = c.native()
	}
	switch {
	case hasDefault:
		native = append(native, reflect.SelectCase{Dir: reflect.SelectDefault})
	case kill != nil:
		native = append(native, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(kill)})
	}
	i, v, ok := reflect.Select(native)
	if i == len(cases) {
		return -1
	}
	cases[i].chosen(v, ok)
	return i
}
