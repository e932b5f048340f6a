package flaws

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

// Flaw is an expected finding: an entry of a generation's expect.json.
type Flaw struct {
	Generation string `json:"generation"`
	Dir        string `json:"-"`
	Name       string `json:"name"` // of its tape
	Flaw       string `json:"flaw"` // what is wrong, in words
	Kind       string `json:"kind"`
	Property   string `json:"property,omitempty"`
	Place      string `json:"place,omitempty"`   // what it begins with
	Summary    string `json:"summary,omitempty"` // a part of it
	Race       bool   `json:"race"`
	Points     string `json:"points,omitempty"` // where tasks are switched; "" as -race has it
	Test       string `json:"test"`
	Rare       int    `json:"rare,omitempty"` // how rare faults are; 0 as usual
	Schedules  int    `json:"schedules"`      // that each seed must show it within
	Seeds      int    `json:"seeds"`
}

// Dirs lists the directories of all generations. It wants to be called in the module's root.
func Dirs() (dirs []string, err error) {
	lists, err := filepath.Glob("testdata/generations/*/expect.json")
	if err != nil || len(lists) == 0 {
		return nil, errors.Join(err, errors.New("no testdata/generations/*/expect.json: run it in the module's root"))
	}
	for _, list := range lists {
		dirs = append(dirs, filepath.Dir(list))
	}
	return dirs, nil
}

// Read reads the flaws of all generations.
func Read() (all []Flaw, err error) {
	dirs, err := Dirs()
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		list := filepath.Join(dir, "expect.json")
		text, err := os.ReadFile(list)
		if err != nil {
			return nil, err
		}
		var flaws []Flaw
		if err := json.Unmarshal(text, &flaws); err != nil {
			return nil, fmt.Errorf("%s: %w", list, err)
		}
		for _, f := range flaws {
			f.Generation, f.Dir = filepath.Base(dir), dir
			all = append(all, f)
		}
	}
	return all, nil
}

// Until is the regular expression that -sim.until takes to stop at the flaw.
func (f Flaw) Until() string {
	summary := f.Summary
	if f.Property != "" {
		summary = f.Property + " does not hold"
	}
	return "^" + regexp.QuoteMeta(f.Kind+" "+f.Place) + ".*: .*" + regexp.QuoteMeta(summary)
}

// Is says whether a finding shows the flaw.
func (f Flaw) Is(g sim.Finding) bool { return Matches(f.Until(), g) }

// Matches says whether -sim.until would stop at a finding.
func Matches(until string, g sim.Finding) bool {
	return regexp.MustCompile(until).MatchString(g.Kind + " " + g.Place + ": " + g.Summary)
}

// Run is the run that shows the flaw, with more flags.
func (f Flaw) Run(flags ...string) runs.Run {
	guarantee := "none" // one that is broken ends the world
	if f.Property != "" {
		guarantee = f.Property
	}
	own := []string{"-guarantee=" + guarantee, "-sim.points=" + f.Points, "-sim.until=" + f.Until()}
	if f.Rare > 0 {
		own = append(own, "-rare="+strconv.Itoa(f.Rare))
	}
	return runs.Run{Name: f.Generation + "-" + f.Name, Subject: f.Dir, Race: f.Race, Package: "./monitor", Test: "^" + f.Test + "$", Flags: append(own, flags...)}
}

// Tape is the file of the flaw's regression tape.
func (f Flaw) Tape() string { return filepath.Join("testdata/tapes", f.Generation+"-"+f.Name+".tape") }

// FoundBy says what shows the flaw: a guarantee or a kind of finding.
func (f Flaw) FoundBy() string { return cmp.Or(f.Property, f.Kind) }
