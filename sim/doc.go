// Package sim runs ordinary Go under a deterministic scheduler.
//
// A test calls [Check] with a scenario. The scenario sets up a [World]: programs under test, actors around them, and
// properties that must hold. Check then runs it many times, each time under another schedule: a seeded scheduler owns
// every goroutine of the world and decides, at each point where goroutines could interleave, which one goes on, when a
// program crashes and starts again, and when time passes. What a world shows to be wrong is a finding: a data race, a map
// used by two goroutines at once, a panic, a deadlock or a stuck goroutine, a leak, a broken property. Each finding is
// saved as a tape, which replays it exactly; Check shrinks it to the choices that the finding needs.
//
// The program under test imports nothing of this. It is instrumented when the test binary is built: [Main], called from
// TestMain, builds an instrumented twin of the test binary and runs that in its place.
//
// # Words
//
//   - world: one simulated execution, with its own virtual clock, which starts at 2000-01-01 00:00:00 UTC.
//   - program: what is tested. Process: one run of it. A crash ends a process at a point, and the next one starts. A
//     process may also be replaced, which lets it end beside the next one, and may stall, which lets time pass without it.
//   - task: a goroutine that the scheduler owns. Actor: a task of the world itself, such as a simulated controller.
//   - point: a place where the scheduler may switch. Step: what a task does between two points.
//   - choice: a question of the scheduler, a fault or the scenario. Answer 0 is the dullest.
//   - tape: the answers of one world. Strategy: what answers.
//
// # What a world guarantees
//
// Equal answers give equal worlds: each has a hash of its steps and of its effects, and worlds that fail are run again to
// see that it stays the same. With -race the detector sees the program's own synchronisation and nothing of the
// scheduler's, so a race is reported whether or not the accesses came close to each other in time.
//
// # What it does not do
//
// Code that is not instrumented (libraries) runs between two points, in one step. A goroutine that a library starts is
// not scheduled until it comes to a point. Network, files and other processes are not simulated. A schedule that was not
// tried proves nothing: a green run says how many were.
package sim
