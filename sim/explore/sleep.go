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
	Move    int
	Instead []Branch // who else could have gone on where the block began
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
			if first, end := e.blockThatCommutes(k, task); answer != d.Answer && end > 0 {
				e.asleep = append(e.asleep, Asleep{e.sibling(at, answer), e.path[:at+1], end, e.others(first)})
			}
		}
	}
}

// others lists the branches ahead of a move.
func (e *expansion) others(k int) []Branch {
	branches := e.branches
	e.branches, e.due = nil, k
	if m := e.result.Moves[k]; len(m.Tasks) > 1 {
		e.answers(m.Choice, len(m.Tasks))
	}
	others := e.branches
	e.branches = branches
	return others
}

// sibling is the path up to a deviation, with another answer.
func (e *expansion) sibling(at, answer int) Path {
	p := slices.Clone(e.path[:at])
	if answer == 0 {
		return p
	}
	return append(p, Deviation{e.path[at].Index, answer})
}

// blockThatCommutes returns the last move of a task's next block behind move k, if that ends where a switch costs nothing and
// commutes with all moves from k on, and 0 if not.
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
	for b := first; b <= end; b++ {
		for a := k; a < first; a++ {
			if !commute(moves[a], moves[b]) {
				return 0, 0
			}
		}
		if moves[b].Enabler >= k && moves[b].Enabler < first {
			return 0, 0
		}
	}
	for a := k + 1; a <= end; a++ {
		if moves[a].Barrier {
			return 0, 0
		}
	}
	return first, end
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
