// Package report makes a page of one world, for people: its timeline.
//
// # Words
//
//   - lane: one task's row. Group: the lanes of one run of a program, or of one actor.
//   - event: one entry of the trace, and one column of the page: a step of a task, or a call, a log line, a crash inside it.
//   - mark: an event that the finding is about. Choice: an answer of the tape other than 0, which is what makes this
//     schedule differ from the dullest one.
//
// # What a page guarantees
//
// [Page] is a function of its input: equal worlds give equal pages. A page is one file. It asks nothing of a network, which
// its content security policy forbids, and stores nothing. Names, messages and source lines come from the program under test
// and are never taken for markup or code: they reach the page as JSON and are shown as text.
//
// # What it does not do
//
// The page knows what the trace has. An access to memory that is no point of the schedule has no event, so a race is marked
// at the steps that ran its lines, as [Page] finds them from the points around. An arrow says who let a task go on; that an
// operation which never waited came after another one is said for the selected event only, by the object they share.
package report
