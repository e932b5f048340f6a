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

// watch ends the worker when a task loops, or waits for what the scheduler cannot see, without coming to a point; and when
// its supervisor is there no more, for a world may be a long one.
func watch(bound int) {
	parent := os.Getppid()
	last, still, used := -1, time.Duration(0), cpuTime()
	tick := time.Duration(bound) * time.Second / ticks
	for {
		time.Sleep(tick)
		if os.Getppid() != parent {
			os.Exit(workerAlone)
		}
		steps, busy := sched.Progress()
		spent := cpuTime() - used
		used += spent
		if !busy || steps != last {
			last, still = steps, 0
			continue
		}
		if still += counted(spent, tick); still >= time.Duration(bound)*time.Second {
			buf := make([]byte, 1<<20)
			fmt.Fprintf(os.Stderr, "%s%s", hungMark, buf[:runtime.Stack(buf, true)])
			os.Exit(workerHung)
		}
	}
}

// ticks is how often a world is looked at until it is taken for one that hangs.
const ticks = 10

// idle is one part in so many of the processor that a process which waits for something uses, at most.
const idle = 20

// counted is how much of a tick counts: all of it for who waits, and what it was given of the processor for who is at work, so
// that a busy machine makes no hang.
func counted(spent, tick time.Duration) time.Duration {
	if spent < tick/idle {
		return tick
	}
	return min(spent, tick)
}

// cpuTime is how much processor time this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
