// Package tape reads, writes and shrinks tapes.
//
// A tape is the answers of one world, in order, and replays it exactly. It is a text file: a header that says which test
// of which program it belongs to and what it shows, an empty line, and then one line for each answer that is not 0, the
// dullest. The number in front of a line counts the world's questions, so the zeros in between need no lines:
//
//	12  switch  3/7  monitor.1@9  monitor.2  monitor/handover.go:41  m.notify[pod] <- v  monitor.1: <-done at monitor/run.go:8
//
// reads: the twelfth question was which of seven tasks goes on, after the ninth step of monitor.1; the answer was the third
// after the dullest, which is monitor.2, which was about to send, ahead of monitor.1, which was about to receive. Columns are
// separated by tabs. The last line counts the answers, so that a tape that was cut off is noticed. A tape whose header says
// by-seed has no lines: its world ended the process before the answers could be read, or made too many, and is made again from
// strategy, seed and schedule.
//
// Parse(Format(x)) equals x for every tape. [Shrink] leaves out the answers that a failure does not need.
package tape
