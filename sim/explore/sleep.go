package explore

import (
	"slices"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Sleep sets (Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 1996) leave out a schedule that
// another one, searched earlier, covers: at some choice that one let another task go first, whose steps commute with all
// that comes ahead of them here. With a bound on preemptions, plain sleep sets lose schedules, for the other one may need more of
// them. Whole blocks do not: where a task runs from a choice that costs nothing until it has to wait, its block moves ahead
// without a new preemption.

// Asleep says that a world covers nothing new behind one of its moves, if another branch was met before its own.
type Asleep struct {
	Earlier Path // the other branch
	Own     Path
	Move    int      // where the block ends
	Task    int      // whose it is
	Others  []Branch // who else could have gone on where it began
	Tasks   []int    // the tasks of those
}

// sleeping lists what could be left out of the world of a path.
func (e *expansion) sleeping() {
	moves := e.result.Moves
	for at, d := range e.path {
		c := e.result.Choices[d.Index]
		if c.Asker != sched.AskSwitch || c.Preempts {
			continue
		}
		k := slices.IndexFunc(moves, func(m sched.Move) bool { return m.Choice == d.Index && len(m.Tasks) > 1 })
		if k < 0 {
			continue
		}
		for answer, task := range moves[k].Tasks {
			if answer == d.Answer {
				continue
			}
			if first, end := e.blockThatCommutes(k, task); end > 0 {
				a := Asleep{Earlier: e.sibling(at, answer), Own: e.path[:at+1], Move: end, Task: task}
				a.Others, a.Tasks = e.others(first)
				e.asleep = append(e.asleep, a)
			}
		}
	}
}

// others lists the branches ahead of a move, and whom they let go on.
func (e *expansion) others(k int) (others []Branch, tasks []int) {
	branches := e.branches
	m := e.result.Moves[k]
	e.due = k
	for answer, task := range m.Tasks {
		e.branches = nil
		if task != m.Task {
			e.branch(m.Choice, answer)
		}
		for _, b := range e.branches {
			others, tasks = append(others, b), append(tasks, task)
		}
	}
	e.branches = branches
	return others, tasks
}

// sibling is the path up to a deviation, with another answer.
func (e *expansion) sibling(at, answer int) Path {
	p := slices.Clone(e.path[:at])
	if answer == 0 {
		return p
	}
	return append(p, Deviation{e.path[at].Index, answer})
}

// blockThatCommutes returns a task's next block behind move k, if that ends where a switch costs nothing and commutes with all
// moves from k on. What the task waits for behind it must commute with them, too: without them it might not have to wait.
func (e *expansion) blockThatCommutes(k, task int) (first, end int) {
	moves := e.result.Moves
	first = k
	for first < len(moves) && moves[first].Task != task {
		first++
	}
	end = first
	for end+1 < len(moves) && moves[end+1].Task == task && !moves[end+1].Barrier {
		end++
	}
	if end+1 >= len(moves) || e.preempts(end+1) {
		return 0, 0
	}
	block := append(slices.Clone(moves[first:end+1]), e.next(task, end))
	for b, m := range block {
		enabledMeanwhile := m.Enabler >= k && m.Enabler < first && b <= end-first
		if enabledMeanwhile || first+b <= end && m.Barrier || slices.ContainsFunc(moves[k:first], func(a sched.Move) bool { return !commute(a, m) }) {
			return 0, 0
		}
	}
	if slices.ContainsFunc(moves[k+1:first], func(m sched.Move) bool { return m.Barrier }) {
		return 0, 0
	}
	return first, end
}

// next returns a task's first move behind another one, or what it waits to do at the end.
func (e *expansion) next(task, k int) sched.Move {
	for _, m := range slices.Concat(e.result.Moves[k+1:], e.result.Pending) {
		if m.Task == task {
			return m
		}
	}
	return sched.Move{Enabler: -1}
}

// preempts says whether the turn was taken from a task ahead of a move.
func (e *expansion) preempts(k int) bool {
	m := e.result.Moves[k]
	return len(m.Tasks) > 1 && e.result.Choices[m.Choice].Preempts
}

func commute(a, b sched.Move) bool {
	for _, u := range a.Uses {
		for _, v := range b.Uses {
			if u.Object == v.Object && sched.Mind(u.Mode, v.Mode) {
				return false
			}
		}
	}
	return true
}
