package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// summary and finding are what the test binary writes; see package sim.
type summary struct{ Findings []finding }

type finding struct {
	Kind, Summary, Place, Tape string
	Schedule                   int
}

// flaw is an expected finding.
type flaw struct {
	Generation string `json:"generation"`
	Name       string `json:"name"` // of its tape
	Flaw       string `json:"flaw"`
	Kind       string `json:"kind"`
	Property   string `json:"property,omitempty"`
	Place      string `json:"place,omitempty"`   // what it begins with
	Summary    string `json:"summary,omitempty"` // a part of it
	Race       bool   `json:"race"`
	Points     string `json:"points,omitempty"` // where tasks are switched; "" as -race has it
	Test       string `json:"test"`
	Rare       int    `json:"rare,omitempty"` // how rare faults are; 0 as usual
	Limit      int    `json:"schedules"`      // for each seed
	Seeds      int    `json:"seeds"`
}

// outcome is what became of a flaw.
type outcome struct {
	flaw
	Schedules []int  `json:"found_by_schedule"` // the first of each seed, sorted
	Replays   string `json:"replays"`
	Shrunk    string `json:"shrunk"`
	Tape      string `json:"tape"`
	Failed    string `json:"failed,omitempty"` // what is wrong with the replays
}

// foundBy says what finds the flaw.
func (f flaw) foundBy() string {
	by := f.Kind
	if f.Property != "" {
		by = f.Property
	}
	if f.Race {
		by += ", -race"
	}
	return by
}

// wanted is the regular expression that -sim.until takes: the kind, the place, a colon and the summary.
func (f flaw) wanted() string {
	summary := f.Summary
	if f.Property != "" {
		summary = f.Property + " does not hold"
	}
	return "^" + regexp.QuoteMeta(f.Kind+" "+f.Place) + ".*: .*" + regexp.QuoteMeta(summary)
}

// find runs one of the monitor's tests against the generation, and replays what it finds.
func (f flaw) find(dir string) (outcome, error) {
	o := outcome{flaw: f, Replays: "-", Shrunk: "-", Tape: filepath.Join("testdata/tapes", f.Generation+"-"+f.Name+".tape")}
	summaries, err := f.test(dir)
	if err != nil {
		return o, err
	}
	var tapes []string // in the order of the seeds
	wanted := regexp.MustCompile(f.wanted())
	for _, s := range summaries {
		for _, g := range s.Findings {
			if !wanted.MatchString(g.Kind + " " + g.Place + ": " + g.Summary) {
				continue
			}
			o.Schedules = append(o.Schedules, g.Schedule)
			tapes = append(tapes, g.Tape)
			break
		}
	}
	slices.Sort(o.Schedules)
	if len(tapes) == 0 {
		return o, nil
	}
	if *update {
		if err := o.keep(tapes); err != nil {
			return o, err
		}
	}
	return o, o.replay(tapes[0])
}

// test explores with all seeds; each stops where it has found the flaw.
func (f flaw) test(dir string) ([]summary, error) {
	file := filepath.Join(out, "run.json")
	args := []string{"test", "-subject", dir}
	if f.Race {
		args = append(args, "-race")
	}
	guarantee := "none" // one that is broken ends the world
	if f.Property != "" {
		guarantee = f.Property
	}
	args = append(args, "./monitor", "--", "-test.run=^"+f.Test+"$", "-sim.verify=false", "-sim.shrink=0", "-sim.points="+f.Points, "-sim.until="+f.wanted(),
		"-sim.seeds="+strconv.Itoa(f.Seeds), "-sim.schedules="+strconv.Itoa(f.Limit), "-sim.json="+file, "-sim.out="+filepath.Join(out, f.Generation+"-"+f.Name))
	args = append(args, "-guarantee="+guarantee, "-rare="+strconv.Itoa(cmp.Or(f.Rare, 50)))
	fmt.Fprintf(os.Stderr, "%s: %s: %s, %d seeds of %d schedules\n", f.Generation, f.Name, f.Test, f.Seeds, f.Limit)
	began := time.Now()
	output, err := exec.Command(snapstorm, args...).CombinedOutput()
	fmt.Fprintf(os.Stderr, "  %.1f s\n", time.Since(began).Seconds())
	if err != nil && !isFinding(err) {
		return nil, fmt.Errorf("snapstorm %s: %w\n%s", strings.Join(args, " "), err, output)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var summaries []summary
	return summaries, json.Unmarshal(text, &summaries)
}
