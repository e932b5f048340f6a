package sim

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// hangSeconds is the one bound of the wall clock: a task that takes no step for so long hangs.
const hangSeconds = 10

// watch ends the worker when a task loops, or waits for what the scheduler cannot see, without coming to a point.
func watch(bound int) {
	last, still, used := -1, 0.0, cpuTime()
	for {
		time.Sleep(time.Second)
		steps, busy := sched.Progress()
		spent := cpuTime() - used
		used += spent
		if !busy || steps != last {
			last, still = steps, 0
			continue
		}
		if still += seconds(spent); still >= float64(bound) {
			buf := make([]byte, 1<<20)
			fmt.Fprintf(os.Stderr, "%s%s", hungMark, buf[:runtime.Stack(buf, true)])
			os.Exit(workerHung)
		}
	}
}

// idleTime is what a process that waits for something uses in a second, at most.
const idleTime = 50 * time.Millisecond

// seconds is how much of the second that has passed counts: all of it for who waits, and what it was given of the processor
// for who is at work, so that a busy machine makes no hang.
func seconds(spent time.Duration) float64 {
	if spent < idleTime {
		return 1
	}
	return min(spent.Seconds(), 1)
}

// cpuTime is how much processor time this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
