package constructs

import (
	"fmt"
	. "sync"
	. "sync/atomic"
	atoms "sync/atomic"
	. "time"
)

type inner struct{ RWMutex }

type middle struct{ *inner }

type outer struct {
	middle
	WaitGroup
	Once
	n Int32
}

// dots has the packages' names for other things.
func dots() string {
	time, sync, maps, atomic := Now(), new(outer), map[string]int{"a": 1}, int64(0)
	sync.inner = new(inner)
	Sleep(1)
	sync.RWMutex.Lock()
	sync.Unlock()
	sync.RLock()
	read := sync.TryLock()
	sync.middle.RUnlock()
	for k := range maps {
		maps[k] += len(k)
	}
	AddInt64(&atomic, 2)
	atoms.AddInt64(&atomic, 3)
	sync.Add(1)
	go sync.WaitGroup.Done()
	sync.Wait()
	sync.Do(func() { sync.n.Add(1) })
	locker := sync.RLocker()
	lock, unlock, done, add := locker.Lock, sync.middle.inner.RUnlock, (*outer).Wait, (*Int32).Add
	lock()
	unlock()
	done(sync)
	once := OnceValue(func() int { return 6 })
	return fmt.Sprint(time.IsZero(), read, maps, atomic, sync.n.Load(), add(&sync.n, 4), once(), NewTimer(Hour).Stop())
}
