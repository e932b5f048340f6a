package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/sim/tape"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

// steps are in the order in which they say the most about a monitor that is broken.
var steps = []step{
	{name: "units", about: "the monitor's tests that run no worlds, with -race", do: units},
	{name: "worlds", about: "its tests that do, with -race; old tapes must show nothing", do: worlds},
	{name: "storms", about: "more schedules, under every strategy", do: storms},
	{name: "exhaustive", about: "a small scenario, searched to its end", do: exhaustive},
	{name: "tapes", about: "each must show its flaw on the subject that it is of", do: replayTapes},
	{name: "kills", about: "generations and mutants", do: kills},
	{name: "benchmarks", about: "ratios, beside the baseline", do: benchmarks},
}

// units runs the tests that need no scheduler. One that hangs is ended.
func units(g *gate) ([]check, error) {
	return g.unit(".", "-test.skip="+runs.NotUnits, "-test.timeout=1m")
}

// unit runs tests that come to no Check.
func (g *gate) unit(tests string, flags ...string) ([]check, error) {
	all, err := g.test(runs.Run{Race: true, Test: tests, Flags: flags})
	if err == nil && len(all) == 0 {
		all = []check{{Name: "go test " + tests, Green: true, Says: "all pass"}}
	}
	return all, err
}

func worlds(g *gate) ([]check, error) {
	return g.checks(runs.Run{Race: true, Test: runs.Worlds})
}

// strategies are those that draw; the portfolio is what the other steps use.
var strategies = []string{"random", "pct", "pos", "rapid"}

// storms floods the monitor with each strategy, without -race and so with more points: faults are as rare as usual, and then
// frequent. A scenario that is drawn has a strategy and faults of its own.
func storms(g *gate) (all []check, err error) {
	for _, strategy := range strategies {
		for _, rare := range []string{"50", "5"} {
			more, err := g.storm(strategy, rare)
			if all = append(all, more...); err != nil {
				return nil, err
			}
			fmt.Printf("        %s, a fault once in %s: %s, %d red\n", strategy, rare, count(len(more), "check"), reds(more))
			if reds(more) > 0 && !g.all {
				return all, nil
			}
		}
	}
	drawn, err := g.checks(runs.Run{Test: "^TestScenario$", Flags: []string{"-sim.schedules=" + strconv.Itoa(len(strategies)*g.schedules)}})
	return append(all, drawn...), err
}

// largeStorm is how many schedules of other storms there are to each of the large one.
const largeStorm = 6

func (g *gate) storm(strategy, rare string) (all []check, err error) {
	for _, of := range []struct {
		tests     string
		schedules int
	}{{"^Test(Small|Several|Fresh|Stops)$", g.schedules}, {"^TestStorm$", max(1, g.schedules/largeStorm)}} {
		more, err := g.checks(runs.Run{Test: of.tests, Flags: []string{"-sim.strategy=" + strategy, "-sim.schedules=" + strconv.Itoa(of.schedules), "-rare=" + rare}})
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	for i := range all {
		all[i].Name += ", " + strategy + ", a fault once in " + rare
	}
	return all, nil
}

// exhaustive searches two pods and two snapshots: with one preemption, and with one crash.
func exhaustive(g *gate) ([]check, error) {
	pair, err := g.checks(runs.Run{Race: true, Test: "^TestPair$", Flags: []string{"-sim.strategy=exhaustive", "-sim.preemptions=1"}})
	if err != nil {
		return nil, err
	}
	crash, err := g.checks(runs.Run{Race: true, Test: "^TestPairCrashes$", Flags: []string{"-sim.strategy=exhaustive", "-sim.preemptions=0", "-sim.crashes=1"}})
	return append(pair, crash...), err
}

// soon are flags for who wants to know why something is red rather than all that is: no search goes on after a finding, and no
// test starts after one that has failed.
var soon = []string{"-sim.until=.", "-sim.shrink=200", "-test.failfast"}

// test runs tests of the monitor. Each Check is a check of the gate, and so is what the tests see themselves.
func (g *gate) test(run runs.Run) (all []check, err error) {
	run.Package, run.Flags = "./monitor", append(run.Flags, fmt.Sprintf("-sim.seed=%d", g.Seed))
	if !g.all {
		run.Flags = append(run.Flags, soon...)
	}
	summaries, failed, err := g.runner.Test(run)
	red := false
	for _, s := range summaries {
		c := ofSummary(s)
		red = red || !c.Green
		all = append(all, c)
	}
	if failed != "" && !red {
		all = append(all, check{Name: "go test", Says: "a test failed", Why: failures(failed)})
	}
	return all, err
}

// checks is test for tests that come to a Check.
func (g *gate) checks(run runs.Run) ([]check, error) {
	all, err := g.test(run)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no test of ./monitor that matches %s came to a Check: is one renamed?", run.Test)
	}
	return all, err
}

// ofSummary is the verdict on a Check.
func ofSummary(s sim.Summary) check {
	c := check{Name: s.Test, Green: s.Expected || len(s.Findings) == 0, Hash: s.Hash, Seconds: s.Seconds}
	c.Says = fmt.Sprintf("%s, %s, %s", count(s.Schedules, "schedule"), count(s.Interleavings, "interleaving"), count(len(s.Findings), "finding"))
	if s.Strategy == "exhaustive" && !s.Complete {
		c.Green, c.Says = false, c.Says+", not searched to the end"
	}
	if !c.Green && len(s.Findings) > 0 {
		f := s.Findings[0]
		c.Says, c.Tape = cmp.Or(f.Property, f.Summary), f.Tape
		c.Why = strings.Split(strings.TrimSpace(f.String()), "\n")
	}
	return c
}

var failure = regexp.MustCompile(`(?m)^\s*(--- FAIL: .*|\S+_test\.go:\d+: .*|\s*Error:.*|panic: .*|fatal error: .*|WARNING: DATA RACE|Test\w+ \(\w+\)|monitor/\w+\.go:\d+)$`)

// own is a file of the monitor with the directory that it is in.
var own = regexp.MustCompile(`\S*/(monitor/\w+\.go:\d+).*`)

// failures are the lines of a test's output that say what failed.
func failures(output string) []string {
	lines := failure.FindAllString(own.ReplaceAllString(output, "$1"), mostLines)
	if len(lines) == 0 {
		lines = strings.Split(strings.TrimSpace(output), "\n")
		lines = lines[max(0, len(lines)-mostLines):]
	}
	return lines
}

// mostLines is how much of a test's output is told.
const mostLines = 12

// replayTapes replays every tape on the subject that it is of, two at a time.
func replayTapes(g *gate) ([]check, error) {
	files, err := filepath.Glob("testdata/tapes/*.tape")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no testdata/tapes/*.tape (%v): run it in the module's root", err)
	}
	all := make([]check, len(files))
	var group errgroup.Group
	group.SetLimit(2)
	for i, file := range files {
		group.Go(func() (err error) {
			all[i], err = g.replay(file)
			return err
		})
	}
	return all, group.Wait()
}

var replayed = regexp.MustCompile(`shown again by (\d+) of (\d+) replays, hash equal in (\d+) of (\d+)`)

// replay replays one tape. A data race need not be shown each time, for the detector drops some.
func (g *gate) replay(file string) (check, error) {
	t, err := tape.Read(file)
	if err != nil {
		return check{}, err
	}
	c := check{Name: strings.TrimSuffix(filepath.Base(file), ".tape"), Hash: t.Hash, Tape: file}
	output, _, err := g.runner.Command("replay", file)
	m := replayed.FindStringSubmatch(output)
	if err != nil || m == nil {
		c.Says, c.Why = "it does not replay", strings.Split(strings.TrimSpace(fmt.Sprint(output, err)), "\n")
		return c, nil
	}
	shown, replays, equal := m[1], m[2], m[3]
	c.Green = equal == replays && shown != "0" && (shown == replays || t.Kind == "data-race")
	if c.Says = "its flaw shows, with the hash of the tape each time"; !c.Green {
		c.Says = m[0]
	}
	return c, nil
}
