package constructs

import (
	"fmt"
	"os"
	"runtime"
	"sync"
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
	return fmt.Sprint(mu.TryLock(), exit != nil)
}
