//go:build race

package sched

import (
	"runtime"
	"unsafe"
)

// RaceEnabled says whether this binary was built with -race.
const RaceEnabled = true

// hide starts a region in which the race detector does not see the calling goroutine's synchronisation. Without it the
// scheduler's own hand-offs would order everything that tasks do, and no race would ever be reported.
//
//go:norace
func hide() {
	if !without.Hiding {
		runtime.RaceDisable()
	}
}

// unhide ends the region that hide started.
//
//go:norace
func unhide() {
	if !without.Hiding {
		runtime.RaceEnable()
	}
}

// RaceErrors returns how many races the detector has reported since the process started.
func RaceErrors() int { return runtime.RaceErrors() }

// release and acquire make an edge: what was done before a release is ordered before what comes after an acquire of the
// same address that follows it.
func release(p unsafe.Pointer) { runtime.RaceReleaseMerge(p) }
func acquire(p unsafe.Pointer) { runtime.RaceAcquire(p) }
