// Command snapstorm builds instrumented test binaries and runs them.
//
// Usage:
//
//	go tool snapstorm test [-race] [-subject dir] [packages] [-- flags of the test binary]
//	go tool snapstorm replay [-html=file] tape
//	go tool snapstorm shrink tape
//	go tool snapstorm regress [-o file] tape
//
// Test runs the tests of the packages (default ".") that use package sim. It is go test for who has no TestMain that
// calls sim.Main, wants to see progress, or wants to try a subject: a directory of files that replace the package's own.
//
// Replay builds what the tape belongs to and runs the tape. With -html it also writes a page, for a browser, with the timeline
// of the tape's world. Shrink leaves out of the tape what the finding does not need, and writes it back to its file.
//
// Regress puts a copy of the tape into testdata/tapes of the package that it is of, and prints a test, to be pasted beside the
// test that found it, which plays the tape and fails as long as that shows something wrong. With -o it writes a new file of the
// package instead. Of a fuzz test the copy is all: it plays what lies there. A tape that is not shrunk yet is shrunk.
//
// The exit code is 0 when nothing was found, 1 for a finding, and 2 when there was nothing to judge.
package main

import (
	"fmt"
	"os"
	"slices"
)

const usage = `usage:
  go tool snapstorm test [-race] [-subject dir] [packages] [-- flags]
      runs tests; a subject is a directory of files that replace the package's
  go tool snapstorm replay [-html=file] tape
      plays a tape; -html draws its timeline
  go tool snapstorm shrink tape
      leaves out what the finding does not need, in the tape's file itself
  go tool snapstorm regress [-o file] tape
      makes a regression test of a tape
Flags of a test binary are those of go test (-test.v, -test.run=…) and
-sim.schedules, -sim.seed, -sim.seeds, -sim.strategy, -sim.points,
-sim.workers, -sim.out, -sim.json, -sim.junit, -sim.strict and others, which
go tool snapstorm test [packages] -- -help lists.`

const (
	exitFinding = 1
	exitMisuse  = 2
)

var helps = []string{"-h", "-help", "--help"}

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, usage)
		return exitMisuse
	}
	if len(args) == 2 && slices.Contains(helps, args[1]) {
		args = args[1:]
	}
	var code int
	var err error
	switch args[0] {
	case "test":
		code, err = test(args[1:])
	case "replay":
		code, err = replayWith(args[1:])
	case "shrink":
		code, err = replay(args[1:], "-sim.rewrite")
	case "regress":
		err = regress(args[1:])
	case "help", helps[0], helps[1], helps[2]:
		fmt.Println(usage)
	default:
		err = fmt.Errorf("there is no command %q\n%s", args[0], usage)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "snapstorm:", err)
		return exitMisuse
	}
	return code
}
