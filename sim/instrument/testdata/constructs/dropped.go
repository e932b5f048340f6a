package constructs

import (
	"os"
	"runtime"
	"sync"
	"time"
)

// All uses of these imports are rewritten.
func dropped() {
	time.Sleep(1)
	runtime.Gosched()
	if f := sync.OnceFunc(func() { os.Exit(3) }); f == nil {
		f()
	}
}
