package sched

import (
	"testing"
	"unsafe"
)

func TestConflicts(t *testing.T) {
	a, b := new(int), new(int)
	on := func(k Kind, p *int) *Task { return &Task{op: Op{Kind: k, Object: unsafe.Pointer(p)}} }
	api := func(k Kind, verb, name string) *Task { return &Task{op: Op{Kind: k, Verb: verb, Name: name}} }
	for name, test := range map[string]struct {
		one, other *Task
		want       bool
	}{
		"one lock":             {on(Lock, a), on(Lock, a), true},
		"two locks":            {on(Lock, a), on(Lock, b), false},
		"read locks":           {on(RLock, a), on(RLock, a), false},
		"map read and write":   {on(MapRead, a), on(MapWrite, a), true},
		"lock and memory":      {on(Lock, a), &Task{op: Op{Kind: Touch}}, false},
		"memory":               {&Task{op: Op{Kind: Touch}}, &Task{op: Op{Kind: Touch}}, false},
		"one API object":       {api(Step, "get", "pods a"), api(Step, "update", "pods a"), true},
		"two API objects":      {api(Step, "get", "pods a"), api(Step, "get", "pods b"), false},
		"questions about one":  {api(Ask, "update pods a", ""), api(Step, "deliver add", "pods a"), true},
		"questions about two":  {api(Ask, "update pods a", ""), api(Ask, "update pods b", ""), false},
		"questions about none": {api(Ask, "user picks", ""), api(Ask, "user picks", ""), false},
	} {
		if got := test.one.Conflicts(test.other); got != test.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
