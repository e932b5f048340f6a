package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/snapstorm/snapstorm/testdata/internal/runs"
	"github.com/snapstorm/snapstorm/testdata/internal/sample"
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
func targets() (all []target, err error) {
	if strings.Contains(*only, "generations") {
		if all, err = generations(); err != nil {
			return nil, err
		}
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

// flaw is an entry of a generation's expect.json; see testdata/generations/reproduce.
type flaw struct {
	Name, Kind, Property, Place, Summary, Points, Test string
	Race                                               bool
	Rare, Schedules                                    int
}

func generations() (all []target, err error) {
	lists, err := filepath.Glob("testdata/generations/*/expect.json")
	if err != nil || len(lists) == 0 {
		return nil, errors.Join(err, errors.New("no testdata/generations/*/expect.json: run it in the module's root"))
	}
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			return nil, err
		}
		var flaws []flaw
		if err := json.Unmarshal(text, &flaws); err != nil {
			return nil, fmt.Errorf("%s: %w", list, err)
		}
		for _, f := range flaws {
			all = append(all, f.target(filepath.Dir(list)))
		}
	}
	return all, nil
}

func (f flaw) target(dir string) target {
	summary := f.Summary
	if f.Property != "" {
		summary = f.Property + " does not hold"
	}
	guarantee := "none" // one that is broken ends the world
	if f.Property != "" {
		guarantee = f.Property
	}
	run := runs.Run{Subject: dir, Race: f.Race, Package: "./monitor", Test: "^" + f.Test + "$", Flags: []string{"-guarantee=" + guarantee, "-sim.points=" + f.Points}}
	if f.Rare > 0 {
		run.Flags = append(run.Flags, "-rare="+strconv.Itoa(f.Rare))
	}
	return target{
		subject: filepath.Base(dir), finding: f.Name, run: run, bound: max(*bound, f.Schedules),
		until: "^" + regexp.QuoteMeta(f.Kind+" "+f.Place) + ".*: .*" + regexp.QuoteMeta(summary),
		plain: plain{pkg: "./testdata/power/free", test: "^TestFlood$", run: "TestFlood", subject: dir},
	}
}

// measure measures one strategy. A target that cannot run free has no row for that.
func (t target) measure(r *runs.Runner, strategy string) ([]row, error) {
	if strategy == "free" {
		return t.free()
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
	wanted := regexp.MustCompile(t.until)
	var firsts []int
	for _, s := range summaries {
		for _, f := range s.Findings {
			if wanted.MatchString(f.Kind + " " + f.Place + ": " + f.Summary) {
				firsts = append(firsts, f.Schedule)
				break
			}
		}
	}
	return []row{newRow(t, strategy, n, t.bound, firsts)}, nil
}
