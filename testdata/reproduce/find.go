package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/snapstorm/snapstorm/testdata/internal/flaws"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

// outcome is what became of a flaw.
type outcome struct {
	flaws.Flaw
	Schedules []int  `json:"found_by_schedule"` // the first of each seed, sorted
	Replays   string `json:"replays"`
	Shrunk    string `json:"shrunk"`
	Tape      string `json:"tape"`
	Failed    string `json:"failed,omitempty"` // what is wrong with the replays

	runner *runs.Runner
}

// find runs one of the monitor's tests against the flaw's generation with all seeds, and replays what the first one finds.
func find(runner *runs.Runner, f flaws.Flaw) (*outcome, error) {
	o := &outcome{Flaw: f, Replays: "-", Shrunk: "-", Tape: f.Tape(), runner: runner}
	began := time.Now()
	tapes, err := o.search()
	if err == nil && *update {
		err = o.keep(tapes)
	}
	if err == nil && len(tapes) > 0 {
		err = o.replay(tapes[0])
	}
	if err == nil {
		err = o.checkText()
	}
	fmt.Fprintf(os.Stderr, "%s, %s: %s, found for %d of %d seeds, %.1f s\n", f.Generation, f.Name, f.Test, len(tapes), f.Seeds, time.Since(began).Seconds())
	return o, err
}

// search explores with all seeds; each stops where it has found the flaw. It returns the tapes in the order of the seeds.
func (o *outcome) search() (tapes []string, err error) {
	f := o.Flaw
	summaries, err := o.runner.Run(f.Run("-sim.verify=false", "-sim.shrink=0", fmt.Sprintf("-sim.seeds=%d", f.Seeds), fmt.Sprintf("-sim.schedules=%d", f.Schedules)))
	for _, s := range summaries {
		for _, g := range s.Findings {
			if f.Is(g) {
				o.Schedules, tapes = append(o.Schedules, g.Schedule), append(tapes, g.Tape)
				break
			}
		}
	}
	slices.Sort(o.Schedules)
	return tapes, err
}

// keep makes the first of some tapes that can be shrunk the flaw's regression tape.
func (o *outcome) keep(tapes []string) (err error) {
	for _, t := range tapes {
		if err = copyFile(o.Tape, t); err != nil {
			return err
		}
		var output string
		var again bool
		if output, again, err = o.runner.Command("shrink", o.Tape); again {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("snapstorm shrink %s: the finding did not show again\n%s", o.Tape, output)
		}
	}
	return err
}

func copyFile(to, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

var shrunk = regexp.MustCompile(`(?m)^shrunk\t(.*)$`)

// replay plays the tape that was just found, and the regression tape.
func (o *outcome) replay(found string) error {
	text, err := os.ReadFile(o.Tape)
	if err != nil {
		return fmt.Errorf("%w: make it with go run ./testdata/reproduce -update", err)
	}
	if m := shrunk.FindSubmatch(text); m != nil {
		o.Shrunk = string(m[1])
	}
	var parts []string
	for _, procs := range []int{1, 2, 8} {
		part, err := o.play(o.Tape, procs)
		if err != nil {
			return err
		}
		parts = append(parts, part)
	}
	o.Replays = strings.Join(parts, " ")
	_, err = o.play(found, 2)
	return err
}

var replayed = regexp.MustCompile(`shown again by (\d+) of (\d+) replays, hash equal in (\d+) of (\d+)`)

// play plays a tape of the flaw. The hash must be equal every time, and the finding shown every time, or at least once for
// a data race, of which the detector drops some.
func (o *outcome) play(path string, procs int) (string, error) {
	output, _, err := o.runner.With(fmt.Sprintf("GOMAXPROCS=%d", procs)).Command("replay", path)
	if err != nil {
		return "", err
	}
	m := replayed.FindStringSubmatch(output)
	if m == nil {
		return "", fmt.Errorf("replay of %s: it does not say how often the finding showed again\n%s", path, output)
	}
	if m[3] != m[4] || m[1] == "0" || o.Kind != "data-race" && m[1] != m[2] {
		o.Failed = fmt.Sprintf("replay of %s with GOMAXPROCS=%d: %s", path, procs, m[0])
	}
	return m[1] + "/" + m[2], nil
}
