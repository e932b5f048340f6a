// Command gate decides whether a change of the monitor may land. It runs the monitor's own tests, floods it under every
// strategy, searches a small scenario to its end, replays every tape in testdata/tapes, has every generation and every mutant
// killed, and compares benchmarks with a baseline.
//
// The seed of all of it is the commit's hash, so each commit is tested in other schedules, and a second run of one commit says
// the same: its digest, which is of all verdicts and of the hashes of all schedules, is equal. In .snapstorm/gate it leaves
// gate.json, junit.xml, index.html, kills.json and the tapes of what was found. Its exit code is 0 when all is green, 1 when
// something is red, and 2 when it could not do its work.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

const out = ".snapstorm/gate"

var (
	seed = flag.Uint64("seed", 0, "seed of all strategies; 0 means the hash of the commit")
	all  = flag.Bool("all", false, "go on after a step that is red")
	only = flag.String("only", "", "run this step only")
	each = flag.Int("schedules", 75, "of each storm under each strategy")
)

func main() {
	flag.Parse()
	green, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(2)
	}
	if !green {
		os.Exit(1)
	}
}

func run() (green bool, err error) {
	runner, err := runs.New(out)
	if err != nil {
		return false, err
	}
	g := &gate{all: *all, schedules: *each, runner: runner, began: time.Now()}
	if g.Commit, g.Seed, err = commit(*seed); err != nil {
		return false, err
	}
	fmt.Printf("gate of %s, seed %d\n", g.Commit, g.Seed)
	if err := g.walk(); err != nil {
		return false, err
	}
	if len(g.Checks) == 0 {
		return false, fmt.Errorf("-only=%s: there is no step of that name", *only)
	}
	g.sum()
	g.print(os.Stdout)
	return g.Green, g.write(out)
}

// walk takes the steps, until one is red.
func (g *gate) walk() error {
	for i, s := range steps {
		if *only != "" && *only != s.name {
			continue
		}
		fmt.Printf("%d of %d: %-10s %s\n", i+1, len(steps), s.name, s.about)
		if err := g.do(s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if left := len(steps) - 1 - i; g.red() > 0 && !g.all && left > 0 {
			fmt.Printf("it is red, so what comes after is not run; go run ./testdata/gate -all runs it all the same\n")
			return nil
		}
	}
	return nil
}
