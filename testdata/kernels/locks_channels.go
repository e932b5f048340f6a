package kernels

import (
	"context"
	"sync"
)

// lockAndSend sends under the lock that the receiver takes before it receives.
func lockAndSend(context.Context) { notify((*inbox).putLocked) }

func lockAndSendFixed(context.Context) { notify((*inbox).put) }

type inbox struct {
	mu    sync.Mutex
	count int
	items chan int
}

func notify(put func(*inbox, int)) {
	in := &inbox{items: make(chan int)}
	go put(in, 1)
	go func() {
		in.mu.Lock()
		in.count--
		in.mu.Unlock()
		<-in.items
	}()
}

func (in *inbox) putLocked(item int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.count++
	in.items <- item
}

func (in *inbox) put(item int) {
	in.mu.Lock()
	in.count++
	in.mu.Unlock()
	in.items <- item
}

// lockAndReceive waits for an answer under the lock that whoever answers needs.
func lockAndReceive(context.Context) {
	in := &inbox{items: make(chan int, 1)}
	go in.put2()
	in.mu.Lock()
	defer in.mu.Unlock()
	in.count = <-in.items
}

func lockAndReceiveFixed(context.Context) {
	in := &inbox{items: make(chan int, 1)}
	go in.put2()
	count := <-in.items
	in.mu.Lock()
	defer in.mu.Unlock()
	in.count = count
}

func (in *inbox) put2() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.items <- in.count + 2
}

// tryLockLivelock spins for a lock whose holder waits for the spinner's answer.
func tryLockLivelock(context.Context) { handOver(false) }

func tryLockLivelockFixed(context.Context) { handOver(true) }

func handOver(answerFirst bool) {
	var mu sync.Mutex
	ready, answer := make(chan struct{}), make(chan struct{}, 1)
	go func() {
		mu.Lock()
		defer mu.Unlock()
		close(ready)
		<-answer
	}()
	<-ready
	if answerFirst {
		answer <- struct{}{}
	}
	for !mu.TryLock() {
	}
	mu.Unlock()
	if !answerFirst {
		answer <- struct{}{}
	}
}
