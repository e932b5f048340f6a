package sched

import (
	"reflect"
	"unsafe"
)

// Kind says what a parked or blocked task is about to do.
type Kind uint8

// The kinds of operations. Their names are what reports print. The last three are of events only: see Event.
const (
	Start Kind = iota
	Return
	Touch
	Yield
	Lock
	RLock
	WLock
	WLockWaiting
	TryLock
	CondWait
	WaitGroupWait
	OnceWait
	Atomic
	Send
	Recv
	Select
	Close
	Forever
	MapRead
	MapWrite
	RangeMap
	Sleep
	GateWait
	Step
	Ask
	Poll
	Note
	Call
	LogLine
	numKinds
)

var kindNames = [numKinds]string{
	"start", "go on", "touch", "yield", "lock", "read-lock", "write-lock", "write-lock", "try-lock", "wait for condition",
	"wait for group", "wait for once", "atomic", "send", "receive", "select", "close", "block for ever", "read map", "write map",
	"range over map", "sleep", "wait for event", "step", "choose", "try again",
	"note", "call", "log",
}

// String returns the name that reports print.
func (k Kind) String() string { return kindNames[k] }

// Op is the operation in front of which a task is parked, or in which it is blocked.
type Op struct {
	Kind   Kind
	Site   *Site
	Object unsafe.Pointer // the lock, channel, map or gate, if any
	Elem   reflect.Type   // of a channel
	Verb   string         // of Step and Ask: what, and on which object
	Name   string
	N      int   // of Select and Ask: the number of answers
	Rare   int   // of Ask: see Question
	as     Kind  // what it amounts to, where that is not Kind itself; Start means it is
	Until  int64 // of Sleep: virtual time in nanoseconds
}

// touches says whether the operation is on memory and never waits.
func (k Kind) touches() bool {
	switch k {
	case Touch, Atomic, MapRead, MapWrite, RangeMap:
		return true
	}
	return false
}

// blocked kinds: a task parked in front of one of them is enabled only when somebody provides what it waits for.
func (k Kind) waits() bool {
	switch k {
	case Lock, RLock, WLockWaiting, CondWait, WaitGroupWait, OnceWait, GateWait:
		return true
	}
	return false
}
