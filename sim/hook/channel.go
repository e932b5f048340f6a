package hook

import (
	"reflect"
	"unsafe"

	"github.com/snapstorm/snapstorm/sim/sched"
)

func identity[C any](ch C) unsafe.Pointer { return sched.PointerOf(&ch) }

// Out is the sending end of a channel, at a place in the source.
type Out[T any] struct {
	ch   chan<- T
	site *Site
}

// To is the left side of a send.
func To[T any](ch chan<- T, s *Site) Out[T] {
	s.Reach()
	return Out[T]{ch, s}
}

// Send is the send statement.
func (o Out[T]) Send(v T) {
	t := sched.Enter(sched.Op{Kind: sched.Send, Site: o.site, Object: identity(o.ch), Elem: reflect.TypeFor[T]()})
	if t == nil {
		o.ch <- v
		return
	}
	p := identity(o.ch)
	outside := t.Outside(p)
	for {
		select {
		case o.ch <- v:
			return
		default:
		}
		if !outside {
			break
		}
		if met := t.Meet(p, sched.Recv); met || t.Poll() {
			o.ch <- v
			t.Unblock()
			return
		}
	}
	t.Block()
	select {
	case o.ch <- v:
	case <-t.Kill():
	}
	t.Unblock()
}

// Recv is the receive expression.
func Recv[T any](ch <-chan T, s *Site) T {
	v, _ := Recv2(ch, s)
	return v
}

// Recv2 is the receive expression with two results.
func Recv2[T any](ch <-chan T, s *Site) (v T, ok bool) {
	t := sched.Enter(sched.Op{Kind: sched.Recv, Site: s, Object: identity(ch), Elem: reflect.TypeFor[T]()})
	if t == nil {
		v, ok = <-ch
		return v, ok
	}
	p := identity(ch)
	outside := t.Outside(p)
	for {
		select {
		case v, ok = <-ch:
			return v, ok
		default:
		}
		if !outside {
			break
		}
		if met := t.Meet(p, sched.Send); met || t.Poll() {
			v, ok = <-ch
			t.Unblock()
			return v, ok
		}
	}
	t.Block()
	select {
	case v, ok = <-ch:
	case <-t.Kill():
	}
	t.Unblock()
	return v, ok
}

// Close is the built-in function close.
func Close[T any](ch chan<- T, s *Site) {
	p := identity(ch)
	if t := sched.Enter(sched.Op{Kind: sched.Close, Site: s, Object: p, Elem: reflect.TypeFor[T]()}); t != nil {
		t.Outside(p) // does not return for a channel of an earlier world
	}
	close(ch)
}

// Block is the select statement without cases.
func Block(s *Site) {
	t := sched.Enter(sched.Op{Kind: sched.Forever, Site: s})
	if t == nil {
		select {}
	}
	t.Block()
	<-t.Kill()
	t.Unblock()
}

// ChanRange is a loop over what a channel delivers.
type ChanRange[T any] struct {
	V    T // what Next received
	ch   <-chan T
	site *Site
}

// RangeChan begins a range loop over a channel. Its first result is there to give the loop's variable its type.
func RangeChan[T any](ch <-chan T, s *Site) (T, *ChanRange[T]) {
	r := &ChanRange[T]{ch: ch, site: s}
	return r.V, r
}

// Next receives the next value into V and, if v is not nil, into *v. It returns false once the channel is closed.
func (r *ChanRange[T]) Next(v *T) bool {
	x, ok := Recv2(r.ch, r.site)
	if ok {
		r.V = x
		if v != nil {
			*v = x
		}
	}
	return ok
}
