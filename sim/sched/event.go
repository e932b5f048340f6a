package sched

// Event runs f as the handling of one event by the calling task: a task that blocks for ever inside is stuck, one that
// blocks outside may be idle.
func HandleEvent(what string, f func()) {
	t := Hold()
	t.setEvent(what)
	f()
	t.setEvent("")
}

//go:norace
func (t *Task) setEvent(what string) {
	if t != nil {
		t.event = what
	}
}

// die ends the calling task.
//
//go:norace
func (t *Task) die() {
	t.dying = true
	goexit()
}
