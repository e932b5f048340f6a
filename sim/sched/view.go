package sched

// What a strategy may see of the tasks that it chooses among. All of it is for the root, while nobody runs.

// Spins says whether the task has just found nothing to do, and would look again.
//
//go:norace
func (t *Task) Spins() bool { return t.yielded }

// Conflicts says whether the next operations of two tasks are on the same object, so that their order may matter: one lock,
// channel, map or gate, or one object of the simulated API.
//
//go:norace
func (t *Task) Conflicts(other *Task) bool {
	a, b := &t.op, &other.op
	if a.Object != nil || b.Object != nil {
		return a.Object == b.Object && !(a.Kind.reads() && b.Kind.reads())
	}
	return a.about() != "" && a.about() == b.about()
}

// about names the object of the simulated API that an operation is on. A question has it as the last two words of its label,
// as in "update pods default/a".
//
//go:norace
func (o *Op) about() string {
	if o.Name != "" || o.Kind != Ask {
		return o.Name
	}
	spaces := 0
	for i := len(o.Verb) - 1; i >= 0; i-- {
		if o.Verb[i] != ' ' {
			continue
		}
		if spaces++; spaces == 2 {
			return o.Verb[i+1:]
		}
	}
	return ""
}

// reads says whether operations of this kind leave their object as it is.
func (k Kind) reads() bool { return k == MapRead || k == RangeMap || k == RLock }

// At returns the place, as file:line, of what the task is about to do, or "".
//
//go:norace
func (t *Task) At() string { return t.op.Site.Position() }

// Calls says whether the task is about to do something to the simulated part of the world.
//
//go:norace
func (t *Task) Calls() bool { return t.op.Verb != "" }
