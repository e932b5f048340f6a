package sim

import (
	"runtime"
	"sync"
	"time"
)

// outcomes runs every schedule on some worker, and yields the outcomes in the order of the schedules. The first runs alone: how
// long its world is tells the strategies of the others what to expect, and often it is all that is wanted.
func (x *exploration) outcomes(yield func(outcome) bool) {
	if !yield(x.first()) {
		return
	}
	requests, stop := make(chan request), make(chan struct{})
	done := make([]chan outcome, x.schedules-1) // from the second on
	for i := range done {
		done[i] = make(chan outcome, 1)
	}
	go func() {
		defer close(requests)
		for i := range done {
			select {
			case requests <- x.request(i + 2):
			case <-stop:
				return
			}
		}
	}()
	over := make(chan struct{})
	go func() { x.crew(workers(), requests, done); close(over) }()
	for i := range done {
		if !yield(<-done[i]) {
			break
		}
	}
	close(stop)
	<-over
}

// workers is how many processes run worlds at once.
func workers() int { return firstPositive(flags.workers, min(runtime.GOMAXPROCS(0), runtime.NumCPU())) }

// usualSwitches is what is expected where the first world does not live to tell.
const usualSwitches = 1000

// first runs the first schedule.
func (x *exploration) first() outcome {
	o, p := x.one(x.spareProcess(), x.request(1))
	x.release(p)
	if x.switches = o.Switches; o.Died {
		x.switches = usualSwitches
	}
	return o
}

func (x *exploration) request(schedule int) request {
	if x.regression != nil {
		return x.regression.request(schedule)
	}
	return request{
		Seed: x.summary.Seed, Schedule: schedule, Switches: x.switches, Strategy: x.by(schedule), Drawn: x.drawn,
		Twice: flags.twice || x.options.Twice || schedule%sampleEvery == 1,
	}
}

// sampleEvery is how many passing worlds there are to each that is run twice, to see whether it stays the same.
const sampleEvery = 20

// maxLeaked is how many goroutines that cannot be unwound a worker may collect before it is replaced.
const maxLeaked = 1000

// patience is how long a Check runs in one worker before it gets the others: to start a process takes longer than many a
// small exploration.
const patience = 200 * time.Millisecond

// crew starts the workers and ends with them.
func (x *exploration) crew(size int, requests <-chan request, done []chan outcome) {
	var all sync.WaitGroup
	finished := make(chan struct{})
	all.Go(func() { x.work(requests, done); close(finished) })
	select {
	case <-finished:
	case <-time.After(patience):
		for range size - 1 {
			all.Go(func() { x.work(requests, done) })
		}
	}
	all.Wait()
}

// work serves requests with a worker process, which is replaced when it dies or has collected too much.
func (x *exploration) work(requests <-chan request, done []chan outcome) {
	h := hand{x: x, p: x.spareProcess()}
	for r := range requests {
		done[r.Schedule-2] <- h.do(r)
	}
	x.release(h.p)
}

// hand runs worlds on one worker process at a time.
type hand struct {
	x      *exploration
	p      *process
	leaked int
}

func (h *hand) do(r request) (o outcome) {
	o, h.p = h.x.one(h.p, r)
	if h.leaked += o.Leaked; h.leaked > maxLeaked && h.p != nil {
		h.p.close()
		h.p, h.leaked = nil, 0
	}
	return o
}

// release keeps a worker for the worlds that may come, or ends it.
func (x *exploration) release(p *process) {
	if p == nil {
		return
	}
	select {
	case x.spare <- p:
	default:
		p.close()
	}
}

// spareProcess returns a worker that was kept, or nil.
func (x *exploration) spareProcess() *process {
	select {
	case p := <-x.spare:
		return p
	default:
		return nil
	}
}

// dismiss ends the workers that were kept.
func (x *exploration) dismiss() {
	for p := x.spareProcess(); p != nil; p = x.spareProcess() {
		p.close()
	}
}
