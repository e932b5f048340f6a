package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/snapstorm/snapstorm/sim/hook"
	"github.com/snapstorm/snapstorm/sim/sched"
)

// program is a small concurrent program: what each of its tasks does, one after another.
type program [][]op

// op is one thing that a task does.
type op struct {
	name string
	on   int // which of the two objects of its kind
	body []op
	task int // of go: the number of the task that it starts
}

var opNames = []string{
	"lock", "lock", "try", "read", "write", "add", "load", "load", "send", "send", "receive", "receive", "either", "poll",
	"signal", "wait", "join", "go", "cancel", "ended", "sleep", "once",
}

// randomProgram draws a program of two or three tasks.
func randomProgram(r *rand.Rand) program {
	var p program
	for range 2 + r.IntN(2) {
		p = append(p, randomOps(r, 1+r.IntN(3), 1))
	}
	number := len(p)
	for _, ops := range p {
		number = numberTasks(ops, number)
	}
	return p
}

// numberTasks gives each task that the operations start a number, from next on.
func numberTasks(ops []op, next int) int {
	for i := range ops {
		if ops[i].name == "go" {
			ops[i].task, next = next, next+1
		}
		next = numberTasks(ops[i].body, next)
	}
	return next
}

func randomOps(r *rand.Rand, n, depth int) []op {
	var ops []op
	for range n {
		o := op{name: opNames[r.IntN(len(opNames))], on: r.IntN(2)}
		switch o.name {
		case "lock", "try", "read", "write", "go", "once":
			if depth == 0 {
				o.name = "load"
				break
			}
			o.body = randomOps(r, 1+r.IntN(2), depth-1)
		}
		ops = append(ops, o)
	}
	return ops
}

var here = &hook.Site{File: "program.go", Line: 1, Func: "do", Op: "op"}

// state is what the tasks of a program share, and what each of them saw.
type state struct {
	mutex  [2]sync.Mutex
	rw     [2]sync.RWMutex
	n      [2]atomic.Int64
	ch     [2]chan int
	once   [2]sync.Once
	group  sync.WaitGroup
	cond   *sync.Cond
	ctx    context.Context
	cancel context.CancelFunc
	seen   [32]notes // by task
}

// notes are what a task saw. The lock is for the race detector: the world's root reads them while the task waits.
type notes struct {
	lock sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (n *notes) Write(p []byte) (int, error) {
	n.lock.Lock()
	defer n.lock.Unlock()
	return n.text.Write(p)
}

func (n *notes) String() string {
	n.lock.Lock()
	defer n.lock.Unlock()
	return n.text.String()
}

// world runs a program on a path, and returns what it came to in the end.
func (p program) world(t *testing.T, path Path) (final string, r sched.Result) {
	synctest.Test(t, func(*testing.T) {
		s := &state{ch: [2]chan int{make(chan int), make(chan int, 1)}, cond: sync.NewCond(&sync.Mutex{})}
		w := sched.New(sched.Options{Moves: true, Horizon: time.Minute}, NewDirected(path))
		w.NewProcess("p", func(ctx context.Context) {
			s.ctx, s.cancel = hook.WithCancel(ctx, here)
			hook.WaitGroupAdd(&s.group, len(p), here)
			for task, ops := range p {
				s.start(ops, task)
			}
		}, 0)
		w.Run(func() { final = s.String() })
		r = w.Result()
	})
	return final, r
}

// start begins a task that marks its end.
func (s *state) start(ops []op, task int) {
	saw := &s.seen[task]
	hook.Go(func() {
		s.do(ops, saw)
		fmt.Fprint(saw, ".")
		hook.WaitGroupDone(&s.group, here)
	}, here)
}

func (s *state) do(ops []op, saw *notes) {
	for _, o := range ops {
		s.one(o, saw)
	}
}

func (s *state) one(o op, saw *notes) {
	switch o.name {
	case "lock", "try", "read", "write", "once", "signal", "wait":
		s.locked(o, saw)
	case "send", "receive", "either", "poll":
		s.communicate(o, saw)
	case "add":
		hook.At(&s.n[o.on], here).Add(1)
	case "load":
		fmt.Fprint(saw, hook.At(&s.n[o.on], here).Load())
	case "join":
		hook.WaitGroupWait(&s.group, here)
	case "go":
		hook.WaitGroupAdd(&s.group, 1, here)
		s.start(o.body, o.task)
	case "cancel":
		hook.At(&s.n[o.on], here).Add(1)
		s.cancel()
	case "ended":
		fmt.Fprint(saw, hook.ContextErr(s.ctx, here) != nil, hook.At(&s.n[o.on], here).Load())
	case "sleep":
		hook.Sleep(time.Duration(1+o.on)*time.Second, here)
	}
}

func (s *state) locked(o op, saw *notes) {
	switch o.name {
	case "lock":
		hook.Lock(&s.mutex[o.on], here)
		s.do(o.body, saw)
		hook.Unlock(&s.mutex[o.on], here)
	case "try":
		if hook.TryLock(&s.mutex[o.on], here) {
			s.do(o.body, saw)
			hook.Unlock(&s.mutex[o.on], here)
		} else {
			fmt.Fprint(saw, "t")
		}
	case "read":
		hook.RLock(&s.rw[o.on], here)
		s.do(o.body, saw)
		hook.RUnlock(&s.rw[o.on], here)
	case "write":
		hook.RWLock(&s.rw[o.on], here)
		s.do(o.body, saw)
		hook.RWUnlock(&s.rw[o.on], here)
	case "once":
		hook.OnceDo(&s.once[o.on], func() { s.do(o.body, saw) }, here)
	case "signal":
		hook.CondSignal(s.cond, here)
	case "wait":
		hook.LockerLock(s.cond.L, here)
		hook.CondWait(s.cond, here)
		hook.LockerUnlock(s.cond.L, here)
	}
}

func (s *state) communicate(o op, saw *notes) {
	switch o.name {
	case "send":
		hook.To(s.ch[o.on], here).Send(len(o.name) + o.on)
	case "receive":
		fmt.Fprint(saw, hook.Recv(s.ch[o.on], here))
	case "either":
		a, b := hook.RecvFrom(s.ch[0]), hook.RecvFrom(s.ch[1])
		c := hook.RecvFrom(hook.ContextDone(s.ctx, here))
		fmt.Fprint(saw, "e", hook.Select(here, false, a, b, c))
	case "poll":
		fmt.Fprint(saw, "p", hook.Select(here, true, hook.To(s.ch[o.on], here).Case(7)))
	}
}

// String is the final state: what every task saw, and what is left in the objects.
func (s *state) String() string {
	var all []string
	for i := range s.seen {
		all = append(all, s.seen[i].String())
	}
	return fmt.Sprintf("%s n=%d,%d ch=%d", strings.TrimRight(strings.Join(all, "|"), "|"), s.n[0].Load(), s.n[1].Load(), len(s.ch[1]))
}

// finals searches a program within a bound and returns its final states, and how many worlds it took. Worlds that are one
// interleaving must come to one final state.
func (p program) finals(t *testing.T, b Bound, most int) (states map[string]bool, worlds int) {
	states = map[string]bool{}
	orders := map[uint64]string{}
	s := NewSearch()
	for branch, ok := s.Next(always); ok && worlds < most; branch, ok = s.Next(always) {
		final, r := p.world(t, branch.Path)
		worlds++
		states[final] = true
		if other, met := orders[r.Order]; met {
			require.Equal(t, other, final, "one interleaving, two final states: %+v", p)
		}
		orders[r.Order] = final
		s.Add(Branches(r, branch.Path, b))
	}
	return states, worlds
}

func always(int) bool { return true }
