// Package sched is the scheduler: it owns every goroutine of a world and decides which one goes on.
//
// A world lives in one synctest bubble. The goroutine that calls [World.Run] is the bubble's root, and schedules; every
// other goroutine of the program under test is a [Task]. One task at a time holds the token and runs; it gives the token
// back at its next point. A step is: synctest.Wait, which returns when every other goroutine of the bubble is parked or
// blocked; collect the tasks that are enabled; ask the [Chooser] for one; wake it.
//
// # Tasks, and what they wait for
//
// A task parks in front of its next operation. Where that is a lock, a condition, a group or a once, the scheduler keeps a
// model of who holds it, and the task is not enabled until it can have it, so a deadlock is seen at once, with its holders
// and waiters. Channel operations are not modelled: a task that cannot go on blocks in the native operation, beside a
// channel that ends it when its process dies, and after it wakes up it parks before it goes on. Time is the bubble's. A
// task that sleeps is parked until its instant; when nobody is enabled, the root sleeps until the next one.
//
// A goroutine that a library started in the bubble becomes a task when it comes to a point. One from outside of the bubble
// passes through.
//
// # Race transparency
//
// With -race, the detector must see the program's own synchronisation and nothing of the scheduler's: a turnstile that it
// sees orders everything, and hides every race. So hand-offs happen between RaceDisable and RaceEnable (hide and unhide),
// and what tasks and the root share is touched in functions marked go:norace only. Such a function may use fields, elements
// of slices and conversions. It may not use maps, append (but see push), copy, closures or ordinary functions that are not
// inlined: the detector sees all of those. A go statement stands in plain sight, since it is the program's own edge, and so
// does the synctest.Wait between a crash and the next run of a program, which publishes the memory that outlives the crash.
//
// # Crash
//
// A crash fences a process's clients ([Process.Alive]), ends its context and unwinds its tasks one at a time, in order, by
// runtime.Goexit. A point in deferred code exits again, so that call ends and later defers run. A task that is inside a
// once is let out first. What stays blocked in a library is abandoned and counted.
//
// A process that is replaced is not unwound: it is told to stop, keeps its tasks and its clients, and is killed when its grace
// period is over. One that stalls has tasks that could go on and are not asked.
//
// # What commutes
//
// For each step the scheduler notes what it used and how ([Used], [Mode]), and which step let it come, and hashes it together
// with all that had to be before it. The sum of those hashes ([Result].Order) is equal for two worlds that differ only in the
// order of steps that commute. Time, crashes and stops are barriers, since everybody waits while they come. What is not seen is memory that
// no lock guards, which is a data race, and state of libraries that nobody tells of.
//
// # Hash
//
// A world's hash is over each choice, each step's task and place, each effect and each logged line, in order. Two runs with
// equal answers must have equal hashes; where they do not, something in the program escapes the scheduler.
package sched
