package constructs

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Seams that tests replace.
var (
	sleep = time.Sleep
	after = time.After
	exit  = os.Exit
	yield = runtime.Gosched
)

func cleanup(fs ...func()) {
	for _, f := range fs {
		f()
	}
}

func values() string {
	var mu sync.Mutex
	var wg sync.WaitGroup
	mu.Lock()
	wg.Add(1)
	unlock := mu.Unlock
	cleanup(unlock, wg.Done, wg.Wait)
	rw := &sync.RWMutex{}
	(rw.RLock)()
	defer rw.RUnlock()
	ticker := time.NewTicker(time.Hour)
	cleanup(ticker.Stop)
	sleep(1)
	<-after(1)
	yield()
	timer := time.NewTimer(time.Hour)
	var once sync.Once
	var n atomic.Int32
	var m sync.Map
	var l sync.Locker = &sync.Mutex{}
	do, try, stop, add, load, lock := once.Do, mu.TryLock, timer.Stop, n.Add, m.Load, l.Lock
	do(lock)
	m.Store(add(2), "two")
	two, ok := load(int32(2))
	lockTable, addTo := (*table).TryRLock, (*atomic.Int32).Add
	(*sync.RWMutex).RUnlock(rw)
	locked := lockTable(&table{base: &base{}})
	(*sync.RWMutex).RLock(rw)
	sync.Locker.Unlock(l)
	return fmt.Sprint(try(), exit != nil, stop(), two, ok, locked, addTo(&n, 3))
}
