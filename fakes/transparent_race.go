//go:build race

package fakes

import (
	"runtime"
	"unsafe"
)

// hide makes the race detector blind to synchronisation on this goroutine
// until reveal. The cluster's own locks are hidden, because an edge between
// all who call the API would hide the races of the program under test.
func hide() { runtime.RaceDisable() }

func reveal() { runtime.RaceEnable() }

// publish orders what was done so far before whoever observes p later.
// Together they give the one edge that an API gives: from the writer of an
// object to its reader.
func publish(p unsafe.Pointer) { runtime.RaceReleaseMerge(p) }

func observe(p unsafe.Pointer) { runtime.RaceAcquire(p) }
