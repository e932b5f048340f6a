package sim

import (
	"math"
	"slices"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Which operations stand in the columns of an explanation, and whose.

const (
	maxColumns = 3
	maxCells   = 7
	lead       = 2 // steps of a task that are shown ahead of what matters
	maxCalls   = 4 // calls that are shown ahead of a property's failure
)

// atEnd is the time of what tasks are about to do, or are blocked in, at the finding.
const atEnd = math.MaxInt

// collect gathers the cells: what the finding is about, the choices that it needs, and a few steps that led there. What the
// finding is about is marked; where that is not two tasks, so are the choices.
func (c *cause) collect(pair int) {
	if c.finding.Kind == "property" {
		c.calls()
	}
	for _, p := range c.parties() {
		step, text := atEnd, p.Does
		if c.finding.Kind == "data-race" {
			step, text = c.accessStep(p), p.Does+": "+sourceLine(p.Place)
		}
		c.add(cell{step: step, task: p.ID, text: text, place: p.Place, marked: true})
	}
	whole := len(c.cells) == 2
	if pair >= 0 {
		c.turned(pair, !whole)
	}
	for i, e := range c.entries {
		if e.Asker == "fault" && c.needed[i] {
			c.went(i)
		}
	}
	for _, id := range c.tasks() {
		c.before(id)
	}
}

// parties are the two tasks that the finding is about. Of tasks that are stuck at one place, one tells enough.
func (c *cause) parties() []sched.Party {
	var parties []sched.Party
	for _, p := range c.finding.Parties {
		alike := len(parties) > 0 && parties[0].Place == p.Place && p.Missing != ""
		if p.ID != 0 && !alike && len(parties) < 2 {
			parties = append(parties, p)
		}
	}
	return parties
}

// went adds what went wrong because of an entry.
func (c *cause) went(entry int) {
	for _, ev := range c.trace {
		if ev.Step == c.turns[entry].Step && isStep(ev) && ev.Task == c.entries[entry].Task {
			n := cellOf(ev, true)
			n.text = c.entries[entry].What
			c.add(n)
			return
		}
	}
}

// add adds a cell, if there is none of that task at that time, and says whether it did.
func (c *cause) add(n cell) bool {
	for i, old := range c.cells {
		if old.task == n.task && (old.step == n.step || old.place == n.place && old.step == atEnd) {
			c.cells[i].marked = old.marked || n.marked
			return false
		}
	}
	c.cells = append(c.cells, n)
	return true
}

// turned adds the operation that came first because of a switch, and the one that would have.
func (c *cause) turned(entry int, marked bool) {
	t := c.turns[entry]
	e := c.entries[entry]
	for _, ev := range c.trace {
		switch {
		case !isStep(ev) || ev.Step < t.Step:
		case ev.Step == t.Step:
			c.add(cellOf(ev, marked))
		case ev.ID == t.Passed:
			c.add(cellOf(ev, marked))
			return
		}
	}
	_, does, _ := strings.Cut(e.Passed, ": ")
	text, place := does, ""
	if at := strings.LastIndex(does, " at "); at >= 0 {
		text, place = does[:at], does[at+4:]
	}
	c.add(cell{step: atEnd, task: t.Passed, text: text, place: place, marked: marked})
}

// before adds what a task did last ahead of its first cell.
func (c *cause) before(id int) {
	first := atEnd
	for _, n := range c.cells {
		if n.task == id {
			first = min(first, n.step)
		}
	}
	added := 0
	for i := len(c.trace) - 1; i >= 0 && added < lead; i-- {
		if e := c.trace[i]; e.ID == id && isStep(e) && e.Step < first && (c.finding.Step == 0 || e.Step <= c.finding.Step) {
			if c.add(cellOf(e, false)) {
				added++
			}
		}
	}
}

// calls adds what was done last to the world outside.
func (c *cause) calls() {
	added := 0
	for i := len(c.trace) - 1; i >= 0 && added < maxCalls; i-- {
		if e := c.trace[i]; e.Kind == sched.Call && (c.finding.Step == 0 || e.Step <= c.finding.Step) {
			c.add(cellOf(e, added == 0))
			added++
		}
	}
}

func isStep(e sched.Event) bool {
	return e.ID > 0 && e.Kind != sched.Call && e.Kind != sched.LogLine && e.Kind != sched.Note
}

func cellOf(e sched.Event, marked bool) cell {
	return cell{step: e.Step, task: e.ID, text: whatOf(e), place: e.Site.Position(), marked: marked}
}

// tasks are those that have columns, in the order of their marked cells.
func (c *cause) tasks() []int {
	slices.SortStableFunc(c.cells, byTime)
	var tasks []int
	for _, marked := range []bool{true, false} {
		for _, n := range c.cells {
			if n.marked == marked && !slices.Contains(tasks, n.task) && len(tasks) < maxColumns {
				tasks = append(tasks, n.task)
			}
		}
	}
	return tasks
}

// shown are the cells of these tasks, the last ones and those that are marked.
func (c *cause) shown(tasks []int) []cell {
	var cells []cell
	for _, n := range c.cells {
		if slices.Contains(tasks, n.task) {
			cells = append(cells, n)
		}
	}
	for i := 0; len(cells) > maxCells && i < len(cells); {
		if cells[i].marked {
			i++
		} else {
			cells = slices.Delete(cells, i, i+1)
		}
	}
	return cells
}
