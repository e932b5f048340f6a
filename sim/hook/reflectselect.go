package hook

import (
	"reflect"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// ReflectSelect is reflect.Select. Where several cases are ready the scheduler chooses, as in [Select].
func ReflectSelect(cases []reflect.SelectCase, s *Site) (chosen int, recv reflect.Value, recvOK bool) {
	defaults, communicating := []int{}, []int{}
	for i, c := range cases {
		if c.Dir == reflect.SelectDefault {
			defaults = append(defaults, i)
		} else {
			communicating = append(communicating, i)
		}
	}
	if len(defaults) > 1 {
		return reflect.Select(cases) // panics
	}
	all := make([]Case, len(communicating))
	for i, k := range communicating {
		all[i] = &reflectCase{SelectCase: cases[k]}
	}
	i := Select(s, len(defaults) == 1, all...)
	if i < 0 {
		return defaults[0], reflect.Value{}, false
	}
	done := all[i].(*reflectCase)
	return communicating[i], done.v, done.ok
}

// reflectCase is a case of reflect.Select as one of Select. v and ok are what it received.
type reflectCase struct {
	reflect.SelectCase
	v  reflect.Value
	ok bool
}

// try lets reflect do the case, beside a default: so it checks the case, too.
func (c *reflectCase) try() bool {
	i, v, ok := reflect.Select([]reflect.SelectCase{c.SelectCase, {Dir: reflect.SelectDefault}})
	c.v, c.ok = v, ok
	return i == 0
}

func (c *reflectCase) native() reflect.SelectCase { return c.SelectCase }

func (c *reflectCase) chosen(v reflect.Value, ok bool) { c.v, c.ok = v, ok }

// op names the channel. A case without one is never ready, as one of a nil channel.
func (c *reflectCase) op() sched.Op {
	op := sched.Op{Kind: sched.Recv}
	if c.Dir == reflect.SelectSend {
		op.Kind = sched.Send
	}
	if c.Chan.IsValid() && c.Chan.Kind() == reflect.Chan {
		op.Object, op.Elem = c.Chan.UnsafePointer(), c.Chan.Type().Elem()
	}
	return op
}
