package sim

import (
	"sync"
	"time"

	"github.com/snapstorm/snapstorm/sim/explore"
)

// hunt is an exhaustive search that several workers take part in. Worlds are numbered in the order in which the search
// hands them out, and their outcomes are taken in that order, so the search does not depend on who is faster.
type hunt struct {
	sync.Mutex
	changed  *sync.Cond
	search   *explore.Search
	most     int // worlds, or 0 for all
	started  int
	taken    int
	outcomes map[int]outcome // that wait to be taken, by number
	levels   map[int]int     // how many worlds of a level are under way or wait to be taken
	level    map[int]int     // of a world
	stopped  bool
}

func newHunt(most int) *hunt {
	h := &hunt{search: explore.NewSearch(), most: most, outcomes: map[int]outcome{}, levels: map[int]int{}, level: map[int]int{}}
	h.changed = sync.NewCond(h)
	return h
}

// next waits for a world to run; false when there is none any more.
func (h *hunt) next() (number int, b explore.Branch, ok bool) {
	h.Lock()
	defer h.Unlock()
	for !h.stopped && (h.most == 0 || h.started < h.most) {
		if b, ok = h.search.Next(h.idle); ok {
			h.started++
			level := b.Price.Sum()
			h.levels[level]++
			h.level[h.started] = level
			return h.started, b, true
		}
		if h.started == h.taken {
			break
		}
		h.changed.Wait()
	}
	h.changed.Broadcast()
	return 0, b, false
}

// idle says whether nothing of a level is under way. Those below it are not, if it was come to.
func (h *hunt) idle(level int) bool { return h.levels[level] == 0 }

func (h *hunt) put(number int, o outcome) {
	h.Lock()
	defer h.Unlock()
	h.outcomes[number] = o
	h.changed.Broadcast()
}

// take returns the outcome of the next world; false when no more will come.
func (h *hunt) take() (o outcome, ok bool) {
	h.Lock()
	defer h.Unlock()
	for {
		if o, ok = h.outcomes[h.taken+1]; ok {
			h.taken++
			delete(h.outcomes, h.taken)
			h.search.Add(o.Found)
			h.levels[h.level[h.taken]]--
			delete(h.level, h.taken)
			h.changed.Broadcast()
			return o, true
		}
		if h.started == h.taken && (h.stopped || h.most > 0 && h.started >= h.most || h.search.Left() == 0) {
			return o, false
		}
		h.changed.Wait()
	}
}

func (h *hunt) stop() {
	h.Lock()
	defer h.Unlock()
	h.stopped = true
	h.changed.Broadcast()
}

// exhaust runs the worlds of all schedules within the bound, and says whether it came to the end.
func (x *exploration) exhaust() {
	began := time.Now()
	x.progress = newProgress(x.t.Name(), x.summary.Seed, 0)
	h := newHunt(flags.schedules)
	var crew sync.WaitGroup
	for range workers() {
		crew.Go(func() { x.searchWith(h) })
	}
	complete, enough := true, false
	for o, ok := h.take(); ok; o, ok = h.take() {
		if enough {
			continue // it was under way already
		}
		x.take(o)
		complete = complete && !o.Died
		x.progress.left = h.left()
		if enough = x.enough(); enough {
			h.stop()
		}
	}
	crew.Wait()
	x.summary.Complete = complete && !enough && h.search.Left() == 0
	x.finish(began)
}

func (h *hunt) left() int {
	h.Lock()
	defer h.Unlock()
	return h.search.Left()
}

// searchWith runs worlds of a search as long as there are any.
func (x *exploration) searchWith(h *hunt) {
	hand := hand{x: x, p: x.spareProcess()}
	for number, b, ok := h.next(); ok; number, b, ok = h.next() {
		r := request{Seed: x.summary.Seed, Schedule: number, Search: true, Path: b.Path, Bound: bound(), Twice: flags.twice || x.options.Twice || number%sampleEvery == 1}
		h.put(number, hand.do(r))
	}
	x.release(hand.p)
}

// bound is what the flags say of an exhaustive search.
func bound() explore.Bound {
	return explore.Bound{Preemptions: flags.preemptions, Crashes: flags.crashes, Faults: flags.faults, Whole: !flags.reduce, Stop: flags.stop}
}
