package main

import (
	"fmt"
	"strconv"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

// bound is a test, and how far it is searched.
type bound struct {
	pkg, test            string
	preemptions, crashes int
}

// The searches of the monitor, which go to their ends.
var pairs = []bound{
	{"./monitor", "TestPair", 2, 0},
	{"./monitor", "TestPairCrashes", 1, 1},
}

// attempts are the searches of a generation, the small ones first. One of them must show something.
var attempts = []bound{
	{"./monitor", "TestPair", 0, 0},
	{"./monitor", "TestPair", 1, 0},
	{"./monitor", "TestPairCrashes", 0, 1},
	{"./monitor", "TestPair", 2, 0},
	{"./monitor", "TestPairCrashes", 1, 1},
}

// result is one search in summary.json.
type result struct {
	Subject       string        `json:"subject"`
	Test          string        `json:"test"`
	Race          bool          `json:"race"`
	Strategy      string        `json:"strategy"`
	Reduced       bool          `json:"reduced"`
	Preemptions   int           `json:"preemptions"`
	Crashes       int           `json:"crashes"`
	Schedules     int           `json:"schedules"`
	Interleavings int           `json:"interleavings"`
	Complete      bool          `json:"complete"`
	Findings      []sim.Finding `json:"findings"`
	Seconds       float64       `json:"seconds"`
}

// search searches tests in one way and returns a result for each Check.
func search(r *runs.Runner, run runs.Run, b bound, reduced bool, flags ...string) ([]result, error) {
	run.Package = b.pkg
	run.Flags = append([]string{
		"-sim.strategy=exhaustive", "-sim.preemptions=" + strconv.Itoa(b.preemptions), "-sim.crashes=" + strconv.Itoa(b.crashes),
		fmt.Sprintf("-sim.reduce=%v", reduced), "-sim.shrink=0", "-sim.verify=false",
	}, flags...)
	summaries, err := r.Run(run)
	if err != nil {
		return nil, err
	}
	var all []result
	for _, s := range summaries {
		all = append(all, result{
			s.Subject, s.Test, s.Race, s.Strategy, reduced, b.preemptions, b.crashes,
			s.Schedules, s.Interleavings, s.Complete, s.Findings, s.Seconds,
		})
	}
	return all, nil
}

func (r result) row() string {
	return fmt.Sprintf("%s\t%s\t%d\t%d\t%d\t%d\t%v\t%d\t%.0f",
		r.Subject, r.Test, r.Preemptions, r.Crashes, r.Schedules, r.Interleavings, r.Complete, len(r.Findings), r.Seconds)
}
