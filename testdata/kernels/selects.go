package kernels

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

var selects = []Kernel{
	{Name: "result-dropped-for-ctx", Class: "selects", Want: "panic", Bug: resultDroppedForCtx, Fixed: resultDroppedForCtxFixed},
	{Name: "stop-before-work", Class: "selects", Want: "panic", Bug: stopBeforeWork, Fixed: stopBeforeWorkFixed},
	{Name: "full-queue-drops", Class: "selects", Want: "panic", Bug: fullQueueDrops, Fixed: fullQueueDropsFixed},
	{Name: "priority-checked-once", Class: "selects", Want: "panic", Bug: priorityCheckedOnce, Fixed: priorityCheckedOnceFixed},
	{Name: "source-never-back", Class: "selects", Want: "stuck", Bug: sourceNeverBack, Fixed: sourceNeverBackFixed},
	{Name: "select-without-ctx", Class: "selects", Want: "leak", Bug: selectWithoutCtx, Fixed: selectWithoutCtxFixed},
	{Name: "popped-for-nobody", Class: "selects", Want: "panic", Bug: poppedForNobody, Fixed: poppedForNobodyFixed},
	{Name: "closed-channel-spins", Class: "selects", Want: "hang", MaxSteps: 5000, Bug: closedChannelSpins, Fixed: closedChannelSpinsFixed},
	{Name: "polling-default", Class: "selects", Want: "hang", MaxSteps: 5000, Bug: pollingDefault, Fixed: pollingDefaultFixed},
	{Name: "flush-starved", Class: "selects", Want: "panic", Bug: flushStarved, Fixed: flushStarvedFixed},
}

// resultDroppedForCtx has room for the result of a change that is made, but the select may see the cancellation first.
func resultDroppedForCtx(ctx context.Context) {
	applyAndCancel(ctx, func(ctx context.Context, results chan<- string) {
		select {
		case results <- "applied":
		case <-ctx.Done():
		}
	})
}

func resultDroppedForCtxFixed(ctx context.Context) {
	applyAndCancel(ctx, func(_ context.Context, results chan<- string) { results <- "applied" })
}

func applyAndCancel(ctx context.Context, report func(context.Context, chan<- string)) {
	ctx, cancel := context.WithCancel(ctx)
	results := make(chan string, 1)
	go func() {
		defer close(results)
		report(ctx, results)
	}()
	cancel()
	if _, ok := <-results; !ok {
		panic("a change was made and is in no result")
	}
}

// stopBeforeWork may see the stop before the jobs that were accepted earlier.
func stopBeforeWork(context.Context) { acceptAndStop(func(<-chan int) int { return 0 }) }

func stopBeforeWorkFixed(context.Context) {
	acceptAndStop(func(jobs <-chan int) int { return len(jobs) })
}

func acceptAndStop(drain func(<-chan int) int) {
	jobs, stop, worked := make(chan int, 2), make(chan struct{}), make(chan int)
	go func() {
		n := serveUntil(stop, jobs)
		worked <- n + drain(jobs)
	}()
	jobs <- 1
	jobs <- 2
	close(stop)
	if <-worked != 2 {
		panic("an accepted job is lost")
	}
}

func serveUntil(stop <-chan struct{}, jobs <-chan int) (n int) {
	for {
		select {
		case <-stop:
			return n
		case <-jobs:
			n++
		}
	}
}

// closedChannelSpins skips what is not ok, and a closed channel gives that without end.
func closedChannelSpins(ctx context.Context) {
	followTwo(ctx, func(*<-chan int) {})
}

func closedChannelSpinsFixed(ctx context.Context) {
	followTwo(ctx, func(closed *<-chan int) { *closed = nil })
}

func followTwo(ctx context.Context, ended func(*<-chan int)) {
	events := make(chan int)
	go func() {
		events <- 1
		close(events)
	}()
	var source <-chan int = events
	for {
		select {
		case _, ok := <-source:
			if !ok {
				ended(&source)
			}
		case <-ctx.Done():
			return
		}
	}
}

// fullQueueDrops does not wait for room, so the second key is lost when the worker is slow.
func fullQueueDrops(context.Context) {
	enqueueTwo(func(queue chan<- string, key string) {
		select {
		case queue <- key:
		default:
		}
	})
}

func fullQueueDropsFixed(context.Context) {
	enqueueTwo(func(queue chan<- string, key string) { queue <- key })
}

func enqueueTwo(enqueue func(chan<- string, string)) {
	queue := make(chan string, 1)
	go func() {
		enqueue(queue, "a")
		enqueue(queue, "b")
		close(queue)
	}()
	n := 0
	for range queue {
		n++
	}
	if n != 2 {
		panic("a key was never worked on")
	}
}

// priorityCheckedOnce looks for a stop before it waits, but not after: it works on what came after the stop.
func priorityCheckedOnce(context.Context) { workUntilStop(func(<-chan struct{}) bool { return false }) }

func priorityCheckedOnceFixed(context.Context) { workUntilStop(hasEnded) }

func workUntilStop(stopped func(<-chan struct{}) bool) {
	stop, work := make(chan struct{}), make(chan string, 1)
	go func() {
		close(stop)
		work <- "after the stop"
	}()
	if hasEnded(stop) {
		return
	}
	select {
	case <-stop:
	case item := <-work:
		if !stopped(stop) {
			panic("work " + item)
		}
	}
}

func hasEnded(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// sourceNeverBack stops reading while the buffer is full, by way of nil, and never starts again.
func sourceNeverBack(context.Context) {
	pump(func(int, <-chan int, *<-chan int) {})
}

func sourceNeverBackFixed(context.Context) {
	pump(func(buffered int, in <-chan int, source *<-chan int) {
		if buffered < relayRoom {
			*source = in
		}
	})
}

const relayRoom = 2

func pump(reenable func(buffered int, in <-chan int, source *<-chan int)) {
	in, out := make(chan int), make(chan int)
	go func() {
		for i := range 4 {
			in <- i
		}
	}()
	go relay(in, out, reenable)
	for range 4 {
		<-out
	}
}

func relay(in <-chan int, out chan<- int, reenable func(int, <-chan int, *<-chan int)) {
	var buffer []int
	source := in
	for sent := 0; sent < 4; {
		var sink chan<- int
		next := 0
		if len(buffer) > 0 {
			sink, next = out, buffer[0]
		}
		select {
		case v := <-source:
			if buffer = append(buffer, v); len(buffer) == relayRoom {
				source = nil
			}
		case sink <- next:
			sent++
			buffer = buffer[1:]
			reenable(len(buffer), in, &source)
		}
	}
}

// selectWithoutCtx waits for an update or a removal, and not for the end of the program.
func selectWithoutCtx(context.Context) { followPod(nil) }

func selectWithoutCtxFixed(ctx context.Context) { followPod(ctx.Done()) }

func followPod(done <-chan struct{}) {
	updated, removed := make(chan string), make(chan string)
	go func() { updated <- "pod" }()
	for {
		select {
		case <-updated:
		case <-removed:
			return
		case <-done:
			return
		}
	}
}

// poppedForNobody takes a key from the queue to offer it, and loses it when the select goes another way.
func poppedForNobody(context.Context) {
	k := &keys{all: []string{"a", "b"}}
	offerKeys(func(out chan<- string, resync <-chan bool) {
		select {
		case out <- k.pop():
		case <-resync:
		}
	})
}

func poppedForNobodyFixed(context.Context) {
	k := &keys{all: []string{"a", "b"}}
	offerKeys(func(out chan<- string, resync <-chan bool) {
		select {
		case out <- k.all[0]:
			k.pop()
		case <-resync:
		}
	})
}

type keys struct{ all []string }

func (k *keys) pop() string {
	key := k.all[0]
	k.all = k.all[1:]
	return key
}

func offerKeys(offer func(out chan<- string, resync <-chan bool)) {
	out, resync := make(chan string, 1), make(chan bool, 1)
	go func() { resync <- true }()
	for len(out) == 0 {
		offer(out, resync)
	}
	if key := <-out; key != "a" {
		panic("the first key is lost; next is " + key)
	}
}

// flushStarved starts its time-out anew with each event, so that a busy stream is never flushed.
func flushStarved(context.Context) {
	batch(func() <-chan time.Time { return time.After(3500 * time.Millisecond) })
}

func flushStarvedFixed(context.Context) {
	t := time.NewTicker(3500 * time.Millisecond)
	defer t.Stop()
	batch(func() <-chan time.Time { return t.C })
}

func batch(flush func() <-chan time.Time) {
	events := make(chan int)
	go func() {
		defer close(events)
		for i := range 20 {
			time.Sleep(time.Second)
			events <- i
		}
	}()
	flushes := 0
	for open := true; open; {
		select {
		case _, open = <-events:
		case <-flush():
			flushes++
		}
	}
	if flushes == 0 {
		panic("twenty events and no flush")
	}
}

// pollingDefault polls a queue that is closed already, for a last item that was skipped when the queue was full.
func pollingDefault(context.Context) {
	pollAll(func(queue chan<- int, skipped *atomic.Int32, i int) {
		select {
		case queue <- i:
		default:
			skipped.Add(1)
		}
	})
}

func pollingDefaultFixed(context.Context) {
	pollAll(func(queue chan<- int, _ *atomic.Int32, i int) { queue <- i })
}

func pollAll(put func(queue chan<- int, skipped *atomic.Int32, i int)) {
	queue := make(chan int, 1)
	var skipped atomic.Int32
	var producer sync.WaitGroup
	producer.Go(func() {
		put(queue, &skipped, 1)
		put(queue, &skipped, 2)
	})
	for got := 0; got < 2; {
		select {
		case <-queue:
			got++
		default:
		}
	}
	producer.Wait()
}
