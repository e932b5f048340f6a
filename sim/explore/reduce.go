package explore

import (
	"slices"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// The reduction is bounded partial-order reduction, after Coons, Musuvathi and McKinley, "Bounded Partial-Order Reduction"
// (OOPSLA 2013), which rests on Flanagan and Godefroid, "Dynamic Partial-Order Reduction for Model Checking Software" (POPL
// 2005): of the schedules that differ only in the order of steps that commute, few are searched. A world shows which of its
// steps use one object and could have come in the other order; only there the search branches: ahead of the first of the two.
// Since that may cost a preemption which the bound forbids, it branches at the beginning of the block of steps around it, too.

// reversals branches so that the order of each pair of steps is reversed that race and come behind the path's last deviation.
func (e *expansion) reversals() {
	moves := e.result.Moves
	h := newHappened(len(e.result.Names))
	first := e.firstNew()
	for k, m := range moves {
		ready, before := h.before(m)
		if k >= first {
			for _, i := range h.racing(m, ready) {
				e.reverse(i, m.Task, ready)
			}
		}
		h.add(k, m, before)
	}
	for _, m := range e.result.Pending {
		ready := h.clockOf(m.Task)
		for _, i := range h.racing(m, ready) {
			e.reverse(i, m.Task, ready)
		}
	}
}

// firstNew returns the first move that no world on the way to this path has made.
func (e *expansion) firstNew() int {
	moves := e.result.Moves
	k := 0
	for k+1 < len(moves) && moves[k+1].Choice < e.from {
		k++
	}
	return k
}

// reverse lets a task go on ahead of move i. Before is what happened before the task's step that races with it.
func (e *expansion) reverse(i, task int, before clock) {
	e.letGoAt(i, task, before)
	block := e.blockAround(i)
	if block < i {
		e.letGoAt(block, task, before)
	} else if i > 0 {
		e.letGoAt(e.blockAround(i-1), task, before)
	}
}

// blockAround returns the first of the moves around i that one task makes in a row, without a rest.
func (e *expansion) blockAround(i int) int {
	moves := e.result.Moves
	for i > 0 && moves[i-1].Task == moves[i].Task && !moves[i].Barrier {
		i--
	}
	return i
}

// letGoAt branches ahead of move i to the task. If that could not go on yet, it branches to whoever could and has a part in
// bringing it there, and if nobody is known to have, to all.
func (e *expansion) letGoAt(i, task int, before clock) {
	m := e.result.Moves[i]
	if answer := slices.Index(m.Tasks, task); answer >= 0 {
		e.branch(m.Choice, answer)
		return
	}
	found := false
	for answer, t := range m.Tasks {
		if before[t] > i && t != m.Task {
			e.branch(m.Choice, answer)
			found = true
		}
	}
	if !found && len(m.Tasks) > 1 {
		e.answers(m.Choice, len(m.Tasks))
	}
}

// clock says for each task how many of the world's moves there were when it made its last one that happened before.
type clock []int

func (c clock) join(other clock) {
	for t, k := range other {
		c[t] = max(c[t], k)
	}
}

// happened is the happens-before order of a world's moves, as far as it has been looked at.
type happened struct {
	clocks  []clock // of each move, itself included
	last    []int   // of each task, its last move and 1
	floor   clock   // what happened before the last barrier
	objects map[int][]access
}

// access is the last use of an object by a task in one mode.
type access struct {
	move, task int
	mode       sched.Mode
}

func newHappened(tasks int) *happened {
	return &happened{last: make([]int, tasks), floor: make(clock, tasks), objects: map[int][]access{}}
}

// clockOf is what happened until a task's last step was done.
func (h *happened) clockOf(task int) clock {
	if k := h.last[task]; k > 0 {
		return slices.Clone(h.clocks[k-1])
	}
	return make(clock, len(h.last))
}

// before is what happened before a move, whatever it uses, and what had when the task was ready for it: one that waits for
// an object is ready while time passes.
func (h *happened) before(m sched.Move) (ready, before clock) {
	if m.Barrier {
		h.floor = slices.Clone(h.last)
	}
	before = h.clockOf(m.Task)
	if m.Enabler >= 0 {
		before.join(h.clocks[m.Enabler])
	}
	ready = slices.Clone(before)
	before.join(h.floor)
	if !m.Waited {
		ready = before
	}
	return ready, before
}

// racing lists, of each other task, the last move that used an object of m's in a way that minds the order, and that could
// have come after m.
func (h *happened) racing(m sched.Move, before clock) []int {
	last := map[int]int{}
	for _, u := range m.Uses {
		for _, a := range h.objects[u.Object] {
			if a.task != m.Task && sched.Race(a.mode, u.Mode) && a.move >= before[a.task] {
				last[a.task] = max(last[a.task], a.move+1)
			}
		}
	}
	var moves []int
	for _, k := range last {
		moves = append(moves, k-1)
	}
	slices.Sort(moves)
	return moves
}

// add puts a move into the order.
func (h *happened) add(k int, m sched.Move, before clock) {
	c := before
	for _, u := range m.Uses {
		for _, a := range h.objects[u.Object] {
			if sched.Mind(a.mode, u.Mode) {
				c.join(h.clocks[a.move])
			}
		}
	}
	c[m.Task] = k + 1
	h.clocks, h.last[m.Task] = append(h.clocks, c), k+1
	for _, u := range m.Uses {
		h.use(u, access{k, m.Task, u.Mode})
	}
}

func (h *happened) use(u sched.Use, a access) {
	all := h.objects[u.Object]
	for i := range all {
		if all[i].task == a.task && all[i].mode == a.mode {
			all[i] = a
			return
		}
	}
	h.objects[u.Object] = append(all, a)
}
