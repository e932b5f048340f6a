package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
	"github.com/snapstorm/snapstorm/testdata/internal/sample"
)

// small are tests of a few scenarios in a cluster: reads that may be old, and handlers beside a cache.
var small = []bound{
	{"./fakes", "TestStaleReads", 1, 2},
	{"./fakes", "TestSharedObjectsAreLookedAfter", 2, 0},
}

// reduction compares searches with and without the reduction: kernels, their fixed twins, and small scenarios.
func reduction(r *runs.Runner) (all []result, failed error) {
	compare := comparison{runner: r}
	for _, pkg := range []string{sample.Light, sample.Kube} {
		for _, race := range []bool{true, false} {
			kernels := slices.DeleteFunc(sample.Kernels(*perClass), func(k sample.Kernel) bool {
				return k.Package != pkg || k.Race() != race || k.Want == "hang" // such a world has too many choices
			})
			if len(kernels) == 0 {
				continue
			}
			deepest, most := 2, *most
			if pkg == sample.Kube {
				deepest, most = 1, most/10 // those that do not end soon have hundreds of thousands
			}
			for preemptions := 1; preemptions <= deepest; preemptions++ {
				compare.both(most, runs.Run{Race: race, Test: sample.Pattern("(TestBugs|TestTwins)", kernels)}, bound{pkg, "kernels", preemptions, 0})
			}
		}
	}
	for _, b := range small {
		compare.both(*most, runs.Run{Race: true, Test: "^" + b.test + "$"}, b)
	}
	compare.print()
	return compare.all, compare.failed
}

// comparison is what both ways have shown so far.
type comparison struct {
	runner         *runs.Runner
	all            []result
	rows           []string
	searches       int // that were compared
	large          int // that were not
	reduced, whole int // schedules of those that were compared
	failed         error
}

// both searches the same in both ways, with so many schedules at most.
func (c *comparison) both(most int, run runs.Run, b bound) {
	limit := "-sim.schedules=" + strconv.Itoa(most)
	fmt.Fprintf(os.Stderr, "%s: at most %d preemptions and %d crashes, race %v: whole\n", b.pkg, b.preemptions, b.crashes, run.Race)
	whole, err := search(c.runner, run, b, false, limit)
	if err != nil {
		c.failed = errors.Join(c.failed, err)
		return
	}
	fmt.Fprintf(os.Stderr, "%s: reduced\n", b.pkg)
	reduced, err := search(c.runner, run, b, true, limit)
	if err == nil && len(reduced) != len(whole) {
		err = fmt.Errorf("%s: %d searches whole and %d reduced", b.pkg, len(whole), len(reduced))
	}
	if err != nil {
		c.failed = errors.Join(c.failed, err)
		return
	}
	for i := range whole {
		c.pair(reduced[i], whole[i])
	}
	c.all = append(c.all, slices.Concat(whole, reduced)...)
	fmt.Fprintf(os.Stderr, "  so far %d compared: %d schedules reduced, %d whole; %d too large\n", c.searches, c.reduced, c.whole, c.large)
}

// pair compares one search in both ways. One that did not end without the reduction says nothing.
func (c *comparison) pair(reduced, whole result) {
	if !whole.Complete {
		c.large++
		return
	}
	c.searches, c.reduced, c.whole = c.searches+1, c.reduced+reduced.Schedules, c.whole+whole.Schedules
	got, want := keys(reduced.Findings), keys(whole.Findings)
	same := reduced.Complete && slices.Equal(got, want)
	if !same {
		err := fmt.Errorf("%s, %d preemptions: reduced (complete %v) shows\n  %s\nand whole\n  %s",
			whole.Subject, whole.Preemptions, reduced.Complete, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		fmt.Fprintln(os.Stderr, err)
		c.failed = errors.Join(c.failed, err)
	}
	c.rows = append(c.rows, fmt.Sprintf("%s\t%s\t%v\t%d\t%d\t%d\t%d\t%v", whole.Subject, whole.Test, whole.Race, whole.Preemptions, reduced.Schedules, whole.Schedules, len(want), same))
}

// keys are what makes findings the same.
func keys(findings []sim.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.Kind+" "+f.Property+" at "+f.Place)
	}
	slices.Sort(all)
	return all
}

func (c *comparison) print() {
	w := newTable("subject", "test", "race", "preemptions", "schedules reduced", "whole", "findings", "same")
	for _, row := range c.rows {
		fmt.Fprintln(w, row)
	}
	w.Flush()
	fmt.Printf("%d searches compared: %d schedules with the reduction, %d without; %d more were too large for that\n", c.searches, c.reduced, c.whole, c.large)
}
