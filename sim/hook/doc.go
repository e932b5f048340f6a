// Package hook is what instrumented code calls: stand-ins for go, channels, select, package sync, timers and map
// accesses. Programs do not import it; package instrument puts the calls in.
//
// Every stand-in has the same shape. It first tells the scheduler (package sched) what the calling task is about to do
// and where, and returns from that when the scheduler lets the task go on. Then it does the native operation, on the
// program's own channel, lock or map, so that Go's own semantics hold and the race detector sees the program's own
// edges. A task that would block in a native channel operation blocks in it natively, beside a channel that is closed
// when its process dies; when it wakes up it waits for its turn before it goes on. A task that would block on a lock is
// not let through to it until the lock is free, so the native operation never blocks.
//
// On a goroutine that the scheduler does not own, and in a process that runs no world, every stand-in is just the native
// operation.
//
// The last argument of each stand-in is the place in the source that it stands for.
package hook
