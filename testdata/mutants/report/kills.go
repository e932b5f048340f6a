package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
)

// kill is what became of a subject.
type kill struct {
	Subject    string `json:"subject"`
	Kind       string `json:"kind"`
	Killed     bool   `json:"killed"`
	Schedules  int    `json:"schedules"`  // until it was killed, or all that it passed
	By         string `json:"by"`         // a guarantee, a kind of finding, or a test without a scenario
	Equivalent string `json:"equivalent"` // why it cannot be killed; "" for a mutant that can
	does       string
	wrong      string // with how it was killed
}

// killAll tries to kill each subject, a few at a time, in their order.
func killAll(all []*subject) ([]kill, error) {
	kills, errs := make([]kill, len(all)), make([]error, len(all))
	next := make(chan int)
	var running sync.WaitGroup
	for range *jobs {
		running.Go(func() {
			for i := range next {
				kills[i], errs[i] = all[i].attempt()
				kills[i].does = all[i].does
				fmt.Fprintln(os.Stderr, kills[i].line())
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	running.Wait()
	return kills, errors.Join(errs...)
}

func (k kill) line() string {
	if !k.Killed {
		return fmt.Sprintf("%s: not killed by %d schedules", k.Subject, k.Schedules)
	}
	return fmt.Sprintf("%s: killed by %s, schedule %d", k.Subject, k.By, k.Schedules)
}

// equivalents reads the reasons, by the names of mutants.
func equivalents(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var listed map[string]string
	if err := json.Unmarshal(text, &listed); err != nil {
		return nil, fmt.Errorf("%s: %w: it has a reason for each name", file, err)
	}
	return listed, nil
}

// unknown returns an error for reasons that are of no mutant.
func unknown(listed map[string]string, kills []kill) error {
	var errs []error
	for name := range listed {
		if !slices.ContainsFunc(kills, func(k kill) bool { return k.Subject == name }) {
			errs = append(errs, fmt.Errorf("there is no mutant %q: take it out of equivalent.json", name))
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// judge returns an error for each subject that fared otherwise than it must.
func judge(kills []kill) error {
	var errs []error
	for _, k := range kills {
		switch {
		case k.Kind == monitor && k.Killed:
			errs = append(errs, fmt.Errorf("the monitor itself is killed, by %s: nothing else counts", k.By))
		case k.Kind == monitor:
		case k.wrong != "":
			errs = append(errs, fmt.Errorf("%s: %s", k.Subject, k.wrong))
		case k.Killed && k.Equivalent != "":
			errs = append(errs, fmt.Errorf("%s: killed by %s although it is said to be equivalent: take it out of equivalent.json", k.Subject, k.By))
		case !k.Killed && k.Equivalent == "":
			errs = append(errs, fmt.Errorf("%s: it survives %d schedules: strengthen a guarantee or a scenario, or say in equivalent.json why nobody can tell it from the monitor", k.Subject, k.Schedules))
		}
	}
	return errors.Join(errs...)
}

// print prints the table, and how it went in all.
func print(kills []kill) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "kind\tmutant\tkilled by\tschedules\twhat is wrong with it")
	var took []int
	subjects := 0
	counts := map[string]int{}
	for _, k := range kills {
		if k.Kind == monitor {
			continue
		}
		subjects++
		by := k.By
		switch {
		case k.Killed:
			took = append(took, k.Schedules)
			counts[k.By]++
		case k.Equivalent != "":
			by = "equivalent: " + k.Equivalent
		default:
			by = "SURVIVES"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\n", k.Kind, k.Subject, by, k.Schedules, k.does)
	}
	table.Flush()
	slices.Sort(took)
	if len(took) > 0 {
		fmt.Printf("\n%d killed, of %d; schedules: median %d, worst %d\n%v\n", len(took), subjects, took[len(took)/2], took[len(took)-1], counts)
	}
}

func list(findings []finding) string {
	var parts []string
	for _, f := range findings {
		parts = append(parts, fmt.Sprintf("%s (schedule %d)", f.by, f.schedule))
	}
	return strings.Join(parts, ", ")
}

// write writes kills.json, without the monitor itself.
func write(file string, kills []kill) error {
	kills = slices.DeleteFunc(slices.Clone(kills), func(k kill) bool { return k.Kind == monitor })
	text, err := json.MarshalIndent(kills, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
