package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/snapstorm/snapstorm/testdata/internal/flaws"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
	"github.com/snapstorm/snapstorm/testdata/internal/sample"
	"github.com/snapstorm/snapstorm/testdata/mutants/hand"
)

// target is a finding that a broken subject should show.
type target struct {
	subject, finding string
	run              runs.Run
	until            string // what -sim.until stops at
	bound            int
	plain            plain
}

// targets are all that -only asks for.
func targets(r *runs.Runner) (all []target, err error) {
	if strings.Contains(*only, "generations") {
		if all, err = generations(); err != nil {
			return nil, err
		}
	}
	if strings.Contains(*only, "mutants") {
		mutants, err := mutants(r)
		if err != nil {
			return nil, err
		}
		all = append(all, mutants...)
	}
	if strings.Contains(*only, "example") {
		all = append(all, target{
			subject: "example", finding: "NotTooMany",
			run: runs.Run{Race: true, Package: "./testdata/example", Test: "^TestByCount$"}, until: "^property .*NotTooMany", bound: *bound,
		})
	}
	if strings.Contains(*only, "kernels") {
		for _, k := range sample.Kernels(*perClass) {
			t := target{
				subject: k.Name, finding: k.Want, run: runs.Run{Race: k.Race(), Package: k.Package, Test: sample.Pattern("TestBugs", []sample.Kernel{k})},
				until: "^" + k.Want + " ", bound: max(*bound, k.Schedules),
			}
			if k.Package == sample.Light {
				t.plain = plain{pkg: "./testdata/kernels/free", test: "^TestFree$/^" + k.Name + "$", run: "TestFree/" + k.Name}
			}
			all = append(all, t)
		}
	}
	return all, nil
}

// generations are the flaws of the historical generations.
func generations() (all []target, err error) {
	list, err := flaws.Read()
	for _, f := range list {
		all = append(all, target{
			subject: f.Generation, finding: f.Name, run: f.Run(), until: f.Until(), bound: max(*bound, f.Schedules),
			plain: flood(f.Dir),
		})
	}
	return all, err
}

// flood is the plain test of a broken monitor.
func flood(dir string) plain {
	return plain{pkg: "./testdata/power/free", test: "^TestFlood$", run: "TestFlood", subject: dir}
}

// mutants are those that were made by hand. Their files go below the runner's directory.
func mutants(r *runs.Runner) (all []target, err error) {
	for i, m := range hand.All() {
		dir := m.Subject
		if dir == "" {
			dir = r.Path(filepath.Join("mutants", strconv.Itoa(i+1)))
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return nil, err
			}
			if _, err := m.Write("monitor", dir); err != nil {
				return nil, err
			}
		}
		flags := []string{"-sim.points=sync"}
		if m.Rare > 0 {
			flags = append(flags, "-rare="+strconv.Itoa(m.Rare))
		}
		all = append(all, target{
			subject: m.Name, finding: m.CaughtBy, until: m.Until(), bound: max(*bound, m.Schedules),
			run:   runs.Run{Subject: dir, Package: "./monitor", Test: "^" + m.Test + "$", Flags: flags},
			plain: flood(dir),
		})
	}
	return all, nil
}

// measure measures one strategy. A target that cannot run free has no row for that.
func (t target) measure(r *runs.Runner, strategy string) ([]row, error) {
	if strategy == free {
		return t.runFree()
	}
	n, run := *seeds, t.run
	if strategy == "exhaustive" {
		n = 1 // it draws nothing
	}
	run.Flags = append(slices.Clone(run.Flags), "-sim.strategy="+strategy, "-sim.seeds="+strconv.Itoa(n), "-sim.schedules="+strconv.Itoa(t.bound),
		"-sim.until="+t.until, "-sim.shrink=0", "-sim.verify=false")
	summaries, err := r.Run(run)
	if err != nil {
		return nil, err
	}
	if len(summaries) != n {
		return nil, fmt.Errorf("%s, %s: got %d summaries, want one for each of %d seeds", t.subject, strategy, len(summaries), n)
	}
	var firsts []int
	for _, s := range summaries {
		for _, f := range s.Findings {
			if flaws.Matches(t.until, f) {
				firsts = append(firsts, f.Schedule)
				break
			}
		}
	}
	return []row{newRow(t, strategy, n, t.bound, firsts)}, nil
}
