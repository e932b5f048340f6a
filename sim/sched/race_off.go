//go:build !race

package sched

import "unsafe"

// RaceEnabled says whether this binary was built with -race.
const RaceEnabled = false

func hide()   {}
func unhide() {}

// RaceErrors returns how many races the detector has reported since the process started.
func RaceErrors() int { return 0 }

func release(unsafe.Pointer) {}
func acquire(unsafe.Pointer) {}
