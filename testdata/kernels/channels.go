package kernels

import (
	"context"
	"sync"
	"time"
)

var channels = []Kernel{
	{Name: "late-answer", Class: "channels", Want: "stuck", Bug: lateAnswer, Fixed: lateAnswerFixed},
	{Name: "first-replica-wins", Class: "channels", Want: "stuck", Bug: firstReplicaWins, Fixed: firstReplicaWinsFixed},
	{Name: "wake-up-without-room", Class: "channels", Want: "leak", Bug: wakeUpWithoutRoom, Fixed: wakeUpWithoutRoomFixed},
	{Name: "range-never-closed", Class: "channels", Want: "leak", Bug: rangeNeverClosed, Fixed: rangeNeverClosedFixed},
	{Name: "two-closers", Class: "channels", Want: "panic", Bug: twoClosers, Fixed: twoClosersFixed},
	{Name: "publish-after-shutdown", Class: "channels", Want: "panic", Bug: publishAfterShutdown, Fixed: publishAfterShutdownFixed},
	{Name: "receive-from-nil", Class: "channels", Want: "leak", Bug: receiveFromNil, Fixed: receiveFromNilFixed},
	{Name: "send-to-nil", Class: "channels", Want: "stuck", Bug: sendToNil, Fixed: sendToNilFixed},
	{Name: "send-under-lock", Class: "channels", Want: "stuck", Bug: sendUnderLock, Fixed: sendUnderLockFixed},
	{Name: "receive-under-lock", Class: "channels", Want: "stuck", Bug: receiveUnderLock, Fixed: receiveUnderLockFixed},
	{Name: "shared-reply", Class: "channels", Want: "panic", Bug: sharedReply, Fixed: sharedReplyFixed},
	{Name: "zero-of-closed", Class: "channels", Want: "panic", Bug: zeroOfClosed, Fixed: zeroOfClosedFixed},
}

// lateAnswer gives up on a slow backend, which then has nobody to hand its answer to.
func lateAnswer(ctx context.Context) { lookUp(ctx, make(chan string)) }

func lateAnswerFixed(ctx context.Context) { lookUp(ctx, make(chan string, 1)) }

func lookUp(ctx context.Context, answer chan string) string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	go func() {
		time.Sleep(2 * time.Second)
		answer <- "node-1"
	}()
	select {
	case a := <-answer:
		return a
	case <-ctx.Done():
		return ""
	}
}

// firstReplicaWins takes the first of three answers, and leaves two replicas with theirs.
func firstReplicaWins(context.Context) { readAny(make(chan int)) }

func firstReplicaWinsFixed(context.Context) { readAny(make(chan int, 3)) }

func readAny(answers chan int) int {
	for replica := range 3 {
		go func() { answers <- replica }()
	}
	return <-answers
}

// wakeUpWithoutRoom drops the wake-up of a taker that looked at the queue but does not wait yet.
func wakeUpWithoutRoom(context.Context) { wakeTaker(&jobBox{wake: make(chan struct{})}) }

func wakeUpWithoutRoomFixed(context.Context) { wakeTaker(&jobBox{wake: make(chan struct{}, 1)}) }

func wakeTaker(b *jobBox) {
	go b.put("job")
	for !b.take() {
		<-b.wake
	}
}

type jobBox struct {
	mu   sync.Mutex
	jobs []string
	wake chan struct{}
}

func (b *jobBox) put(job string) {
	b.mu.Lock()
	b.jobs = append(b.jobs, job)
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *jobBox) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.jobs) == 0 {
		return false
	}
	b.jobs = b.jobs[1:]
	return true
}

// rangeNeverClosed collects from scanners that end without anybody closing the channel.
func rangeNeverClosed(context.Context) { collectShards(func(*sync.WaitGroup, chan int) {}) }

func rangeNeverClosedFixed(context.Context) {
	collectShards(func(scanners *sync.WaitGroup, found chan int) {
		scanners.Wait()
		close(found)
	})
}

func collectShards(finish func(*sync.WaitGroup, chan int)) (all []int) {
	var scanners sync.WaitGroup
	found := make(chan int)
	for shard := range 2 {
		scanners.Go(func() { found <- shard })
	}
	go finish(&scanners, found)
	for id := range found {
		all = append(all, id)
	}
	return all
}

// twoClosers lets the reader and the heartbeat of a session both look whether it has ended, and both end it.
func twoClosers(context.Context) {
	s := &session{done: make(chan struct{})}
	go s.end()
	s.end()
}

func twoClosersFixed(context.Context) {
	s := &session{done: make(chan struct{})}
	go s.once.Do(s.end)
	s.once.Do(s.end)
}

type session struct {
	done chan struct{}
	once sync.Once
}

func (s *session) end() {
	select {
	case <-s.done:
	default:
		close(s.done)
	}
}

// publishAfterShutdown sends on a bus that was shut down while the publisher waited for its lock.
func publishAfterShutdown(context.Context) {
	b := &bus{events: make(chan string, 1)}
	go b.publish("added")
	b.shutDown()
}

func publishAfterShutdownFixed(context.Context) {
	b := &bus{events: make(chan string, 1)}
	go b.publishIfOpen("added")
	b.shutDown()
}

type bus struct {
	mu     sync.Mutex
	closed bool
	events chan string
}

func (b *bus) publish(event string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events <- event
}

func (b *bus) publishIfOpen(event string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.events <- event
	}
}

func (b *bus) shutDown() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	close(b.events)
}

// receiveFromNil waits for a feed whose channel is made by start, which may come later.
func receiveFromNil(context.Context) { awaitFeed(&feed{}) }

func receiveFromNilFixed(context.Context) { awaitFeed(&feed{synced: make(chan struct{})}) }

func awaitFeed(f *feed) {
	go f.start()
	<-f.channel()
}

type feed struct {
	mu     sync.Mutex
	synced chan struct{}
}

func (f *feed) start() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.synced == nil {
		f.synced = make(chan struct{})
	}
	close(f.synced)
}

func (f *feed) channel() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.synced
}

// sendToNil swaps a collector's channel in two steps; a sample between them goes to nil.
func sendToNil(context.Context) { observe(func(c *sampler) { c.swap(nil); c.swap(make(chan int, 2)) }) }

func sendToNilFixed(context.Context) { observe(func(c *sampler) { c.swap(make(chan int, 2)) }) }

func observe(resize func(*sampler)) {
	c := &sampler{samples: make(chan int, 1)}
	go resize(c)
	c.channel() <- 1
}

type sampler struct {
	mu      sync.Mutex
	samples chan int
}

func (c *sampler) swap(samples chan int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.samples = samples
}

func (c *sampler) channel() chan<- int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.samples
}

// sendUnderLock announces a change while it has the lock that the listener wants before it listens again.
func sendUnderLock(context.Context) {
	c := &catalog{changes: make(chan string)}
	go c.listen()
	c.add("a")
	c.add("b")
}

func sendUnderLockFixed(context.Context) {
	c := &catalog{changes: make(chan string)}
	go c.listen()
	c.addThenTell("a")
	c.addThenTell("b")
}

type catalog struct {
	mu      sync.Mutex
	names   []string
	changes chan string
}

func (c *catalog) add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names = append(c.names, name)
	c.changes <- name
}

func (c *catalog) addThenTell(name string) {
	c.mu.Lock()
	c.names = append(c.names, name)
	c.mu.Unlock()
	c.changes <- name
}

func (c *catalog) listen() (size int) {
	for range 2 {
		<-c.changes
		c.mu.Lock()
		size = len(c.names)
		c.mu.Unlock()
	}
	return size
}

// receiveUnderLock waits for an acknowledgement with the lock that the acknowledging side takes first.
func receiveUnderLock(context.Context) {
	r := &rollout{acks: make(chan int)}
	go r.ack()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.acked = <-r.acks
}

func receiveUnderLockFixed(context.Context) {
	r := &rollout{acks: make(chan int)}
	go r.ack()
	acked := <-r.acks
	r.mu.Lock()
	defer r.mu.Unlock()
	r.acked = acked
}

type rollout struct {
	mu    sync.Mutex
	acked int
	acks  chan int
}

func (r *rollout) ack() {
	r.mu.Lock()
	next := r.acked + 1
	r.mu.Unlock()
	r.acks <- next
}

// sharedReply gives two clients one channel for replies, and one takes what is the other's.
func sharedReply(ctx context.Context) {
	replies := make(chan int, 2)
	askTwice(ctx, func() chan int { return replies })
}

func sharedReplyFixed(ctx context.Context) {
	askTwice(ctx, func() chan int { return make(chan int, 1) })
}

type query struct {
	id    int
	reply chan int
}

func askTwice(ctx context.Context, replies func() chan int) {
	queries := make(chan query)
	go answerQueries(ctx, queries)
	for id := range 2 {
		reply := replies()
		go func() {
			queries <- query{id, reply}
			if got := <-reply; got != id {
				panic("the answer to somebody else's query")
			}
		}()
	}
}

func answerQueries(ctx context.Context, queries <-chan query) {
	for {
		select {
		case q := <-queries:
			q.reply <- q.id
		case <-ctx.Done():
			return
		}
	}
}

// zeroOfClosed runs what a closed channel gives: the nil task.
func zeroOfClosed(context.Context) {
	runTasks(func(tasks <-chan func()) {
		for {
			task := <-tasks
			task()
		}
	})
}

func zeroOfClosedFixed(context.Context) {
	runTasks(func(tasks <-chan func()) {
		for task := range tasks {
			task()
		}
	})
}

func runTasks(work func(<-chan func())) {
	tasks := make(chan func())
	go work(tasks)
	tasks <- func() {}
	close(tasks)
}
