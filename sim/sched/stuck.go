package sched

import (
	"fmt"
	"slices"
	"strings"
)

// describe says where a task is and what it is about to do, or blocked in.
func (t *Task) describe() string {
	s := t.next()
	if at := t.op.Site.Position(); at != "" {
		s += " at " + at
	}
	return s
}

// next says what a parked task is about to do.
//
//go:norace
func (t *Task) next() string {
	op := t.op
	switch {
	case t.returning:
		return Return.String()
	case op.Verb != "" && op.Name != "":
		return op.Verb + " " + op.Name
	case op.Verb != "":
		return op.Verb
	case op.Site != nil && op.Site.Op != "":
		return op.Site.Op
	}
	return op.Kind.String()
}

// checkStuck reports, in a quiescent world, the tasks that wait for what nobody will provide. A task that receives,
// selects or waits for a condition outside of an event's handling may just be idle: whether it was shows when its process is told to stop.
func (w *World) checkStuck() {
	w.reportBlocked("stuck", func(t *Task) bool {
		if t.proc == w.actors {
			return false
		}
		switch t.doing() {
		case Lock, RLock, WLockWaiting, OnceWait, Send, Forever:
			return true
		case GateWait:
			return false
		}
		return t.event != ""
	})
}

// doing is the kind of what the task is blocked in, or tries again and again.
func (t *Task) doing() Kind {
	if t.op.as != Start {
		return t.op.as
	}
	return t.op.Kind
}

// checkLeaks reports the tasks that are still there after their process was told to stop. Where some were stuck before,
// others wait for those, and that is no news.
func (w *World) checkLeaks() {
	for _, f := range w.findings {
		if f.Kind == "stuck" || f.Kind == "deadlock" {
			return
		}
	}
	w.reportBlocked("leak", func(t *Task) bool { return t.proc != w.actors && !t.timer })
}

// reportBlocked makes one finding of each cycle of tasks that wait for each other's locks, and one of all other blocked
// tasks that are at one place.
func (w *World) reportBlocked(kind string, counts func(*Task) bool) {
	var order []*Site
	groups := map[*Site][]*Task{}
	for _, t := range w.live {
		asleep := kind == "leak" && t.state == parked && t.op.Kind == Sleep
		if !t.isBlocked() && !asleep || !counts(t) || t.reported {
			continue
		}
		if cycle := w.cycle(t); cycle != nil {
			for _, c := range cycle {
				c.reported = true
			}
			w.Report(w.deadlock(cycle))
			continue
		}
		if groups[t.op.Site] == nil {
			order = append(order, t.op.Site)
		}
		groups[t.op.Site] = append(groups[t.op.Site], t)
		t.reported = true
	}
	for _, site := range order {
		w.Report(w.blockedFinding(kind, site, groups[site]))
	}
}

//go:norace
func (t *Task) isBlocked() bool {
	return t.state == blocked || t.state == parked && (t.op.Kind.waits() || t.op.Kind == Poll) && !t.enabled && !t.returning
}

func (w *World) deadlock(cycle []*Task) Finding {
	var places, parts []string
	for _, t := range cycle {
		places = append(places, t.op.Site.Position())
		parts = append(parts, t.name+" waits at "+t.op.Site.Position())
	}
	slices.Sort(places)
	return Finding{
		Kind: "deadlock", Place: strings.Join(slices.Compact(places), ", "),
		Summary: "tasks wait for each other's locks: " + strings.Join(parts, ", "), Detail: w.explainBlocked(cycle), Parties: w.waiting(cycle),
	}
}

func (w *World) blockedFinding(kind string, site *Site, tasks []*Task) Finding {
	what := tasks[0].name + " is"
	if len(tasks) > 1 {
		what = fmt.Sprintf("%s and %d more are", tasks[0].name, len(tasks)-1)
	}
	what += map[string]string{"stuck": " blocked for ever: ", "leak": " still there after an orderly stop: "}[kind]
	return Finding{Kind: kind, Place: site.Position(), Summary: what + tasks[0].describe(), Detail: w.explainBlocked(tasks), Parties: w.waiting(tasks)}
}

// maxExplained bounds how many of the tasks that are stuck at one place a finding explains.
const maxExplained = 3

// waiting are the parties of a finding about tasks that wait.
func (w *World) waiting(tasks []*Task) []Party {
	var parties []Party
	for _, t := range tasks[:min(len(tasks), maxExplained)] {
		p := w.party(t)
		p.Missing = w.provider(t)
		parties = append(parties, p)
	}
	return parties
}

func (w *World) explainBlocked(tasks []*Task) string {
	var b strings.Builder
	for i, t := range tasks {
		if i == maxExplained {
			fmt.Fprintf(&b, "… and %d more at the same place\n", len(tasks)-i)
			break
		}
		fmt.Fprintf(&b, "%s: %s in %s\n", t.name, t.describe(), t.function())
		if t.event != "" {
			fmt.Fprintf(&b, "  while it handles %s\n", t.event)
		}
		fmt.Fprintf(&b, "  %s\n", w.provider(t))
	}
	return b.String()
}

func (t *Task) function() string {
	if t.op.Site == nil || t.op.Site.Func == "" {
		return "code of its own"
	}
	return t.op.Site.Func
}

// provider says which task could have provided what t waits for, and where that task is.
func (w *World) provider(t *Task) string {
	if t.op.Object == nil {
		return "nothing can end this wait"
	}
	o := w.object(t.op.Object)
	switch t.doing() {
	case Lock, RLock, WLockWaiting, OnceWait:
		return w.holderOf(o)
	case Send:
		return w.partner(o, "receive from", Recv)
	case Recv:
		return w.partner(o, "send to", Send, Close)
	case CondWait:
		return w.signaler(o)
	case Sleep:
		return "it sleeps again and again"
	case WaitGroupWait:
		return fmt.Sprintf("%d more Done are missing", o.count)
	}
	return "no task is left to provide it"
}

func (w *World) holderOf(o *object) string {
	holder := o.holder
	if holder == nil {
		holder = o.reader
	}
	if holder == nil {
		return "its holder is gone"
	}
	return fmt.Sprintf("held by %s since %s; that task %s", holder.name, o.site.Position(), holder.whereabouts())
}

// signaler names the task that signaled a condition last, which was not for who waits now.
func (w *World) signaler(o *object) string {
	u := o.users[0]
	if u.task == nil {
		return "no task ever signaled this condition, and none is left to"
	}
	return fmt.Sprintf("%s signaled this condition last, at %s, and woke no such task; it %s", u.task.name, u.site.Position(), u.task.whereabouts())
}

// partner names the tasks that did the complementary operation on a channel before, and otherwise the places of the
// code around it that do it on other channels.
func (w *World) partner(o *object, verb string, kinds ...Kind) string {
	var lines []string
	for _, k := range kinds {
		u := o.users[k-Send]
		switch {
		case u.task == nil:
		case u.among:
			lines = append(lines, fmt.Sprintf("%s came to %s it at %s, in a select that may have gone another way; that task %s", u.task.name, verb, u.site.Position(), u.task.whereabouts()))
		default:
			lines = append(lines, fmt.Sprintf("%s did %s it at %s; that task %s", u.task.name, verb, u.site.Position(), u.task.whereabouts()))
		}
	}
	if len(lines) > 0 {
		return strings.Join(lines, "; ")
	}
	return "no task ever came to " + verb + " this channel" + w.elsewhere(o, kinds)
}

// elsewhere lists the places that did the like on other channels of the same type.
func (w *World) elsewhere(missing *object, kinds []Kind) string {
	var places []string
	for _, o := range w.objects.slots {
		if o == nil || o.elem != missing.elem {
			continue
		}
		for _, k := range kinds {
			u := o.users[k-Send]
			if u.task == nil {
				continue
			}
			place := fmt.Sprintf("%s at %s", u.site.Func, u.site.Position())
			if !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
	}
	if len(places) == 0 {
		return ""
	}
	slices.Sort(places)
	return "; on other channels of this type, " + strings.Join(places, " and ") + " did"
}

// whereabouts says what became of a task.
func (t *Task) whereabouts() string {
	switch t.state {
	case done:
		return "has ended"
	case outside:
		return "is in library code"
	}
	return "is at: " + t.describe()
}

// cycle follows the locks from t to their holders, and returns the tasks on the way if that comes back to t.
//
//go:norace
func (w *World) cycle(t *Task) []*Task {
	var path []*Task
	for at := t; len(path) < len(w.live); {
		if !at.isBlocked() || at.op.Object == nil {
			return nil
		}
		holder := w.object(at.op.Object).holder
		if holder == nil {
			return nil
		}
		path = push(path, at)
		if at = holder; at == t {
			return path
		}
	}
	return nil
}

// ownFrames cuts a panic's stack down to the frames of the program under test, and returns the place of the panic.
func ownFrames(stack string) (place, frames string) {
	lines := strings.Split(stack, "\n")
	var kept []string
	seen := false
	for i := 1; i+1 < len(lines); i += 2 {
		if strings.HasPrefix(lines[i], "panic(") {
			seen, kept = true, nil
			continue
		}
		if !seen || strings.Contains(lines[i], "snapstorm/sim/") || strings.HasPrefix(lines[i], "runtime.") {
			continue
		}
		at := strings.TrimSpace(lines[i+1])
		if j := strings.LastIndex(at, " +0x"); j > 0 {
			at = at[:j]
		}
		if place == "" {
			place = at
		}
		kept = append(kept, lines[i], "\t"+at)
	}
	return place, strings.Join(kept, "\n")
}
