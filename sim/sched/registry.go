package sched

import (
	"bytes"
	"runtime"
	"strconv"
)

// registry finds a task by its goroutine's id. It is an open-addressing table over slices, because the race detector
// reports map operations even in functions that it is told to leave alone. Only the root adds to it, while nobody runs.
type registry struct {
	ids   []int64
	tasks []*Task
	n     int
}

//go:norace
func (r *registry) find(id int64) *Task {
	if len(r.ids) == 0 {
		return nil
	}
	mask := len(r.ids) - 1
	for i := slot(id) & mask; r.ids[i] != 0; i = (i + 1) & mask {
		if r.ids[i] == id {
			return r.tasks[i]
		}
	}
	return nil
}

//go:norace
func slot(id int64) int { return int(uint64(id) * 0x9e3779b97f4a7c15 >> 33) }

//go:norace
func (r *registry) add(t *Task) {
	if 2*r.n >= len(r.ids) {
		r.grow()
	}
	mask := len(r.ids) - 1
	i := slot(t.goid) & mask
	for r.ids[i] != 0 {
		i = (i + 1) & mask
	}
	r.ids[i], r.tasks[i] = t.goid, t
	r.n++
}

//go:norace
func (r *registry) grow() {
	old := *r
	size := max(64, 2*len(old.ids))
	*r = registry{ids: make([]int64, size), tasks: make([]*Task, size)}
	for i := range old.ids {
		if old.ids[i] != 0 {
			r.add(old.tasks[i])
		}
	}
}

// adopt makes a task of a goroutine that a library started in this world's bubble, and returns nil for a goroutine from
// elsewhere, which passes through untouched.
//
//go:norace
func (w *World) adopt(id int64) *Task {
	if bubble() != w.bubble {
		return nil
	}
	hide()
	w.arrivals.Lock()
	t := &Task{id: -1, proc: w.adopter(), world: w, goid: id, wake: make(chan struct{}), kill: make(chan struct{})}
	w.adopted = push(w.adopted, t)
	w.arrivals.Unlock()
	unhide()
	return t
}

// adopter returns the process that an adopted goroutine is taken to belong to: the one of the task that ran last.
//
//go:norace
func (w *World) adopter() *Process {
	if w.last != nil {
		return w.last.proc
	}
	return w.actors
}

var bubbleWord = []byte("synctest bubble ")

// bubble returns the number of the synctest bubble that the caller is in, and 0 outside. The header of a stack dump is
// the only place where the runtime tells it.
//
//go:norace
func bubble() int {
	var buf [128]byte
	head := buf[:runtime.Stack(buf[:], false)]
	if i := bytes.IndexByte(head, '\n'); i >= 0 {
		head = head[:i]
	}
	i := bytes.Index(head, bubbleWord)
	if i < 0 {
		return 0
	}
	head = head[i+len(bubbleWord):]
	end := 0
	for end < len(head) && head[end] >= '0' && head[end] <= '9' {
		end++
	}
	n, _ := strconv.Atoi(string(head[:end]))
	return n
}
