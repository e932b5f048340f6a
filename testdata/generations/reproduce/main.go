// Command reproduce finds every flaw that the historical generations of the hand-over are known for.
//
// Each generation's expect.json lists its flaws: the kind of finding, a part of its summary and place, and within how many
// schedules each of so many seeds must show it. Reproduce runs the monitor's own tests against the generation, prints a
// table, and replays one tape of each flaw with GOMAXPROCS 1, 2 and 8. Its exit code is 0 when everything was found.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

const out = ".snapstorm/reproduce"

// flaw is an expected finding.
type flaw struct {
	Flaw, Kind, Summary, Place, Test string
	Race                             bool
	Schedules, Seeds                 int
}

// finding and summary are what the test binary writes; see package sim.
type finding struct {
	Kind, Summary, Place, Tape string
	Schedule                   int
}

type summary struct {
	Seed     int
	Findings []finding
}

// outcome is what became of a flaw.
type outcome struct {
	flaw
	schedules []int  // the first schedule that showed it, by seed
	tape      string // of the first seed
}

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "reproduce:", err)
		os.Exit(1)
	}
}

func run() error {
	lists, err := filepath.Glob("testdata/generations/*/expect.json")
	if err != nil || len(lists) == 0 {
		return errors.Join(err, errors.New("no testdata/generations/*/expect.json: run it in the module's root"))
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "generation\tflaw\tkind\trace\tseeds\tmedian schedule\tworst\treplays, GOMAXPROCS 1, 2, 8")
	wrong := checkExample()
	var all []json.RawMessage
	failed := false
	for _, list := range lists {
		raw, missed, err := generation(filepath.Dir(list), table)
		if err != nil {
			return err
		}
		all, failed = append(all, raw...), failed || missed
	}
	table.Flush()
	text, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(out, "summary.json"), append(text, '\n'), 0o644)
	}
	err = errors.Join(err, wrong)
	if failed {
		err = errors.Join(err, errors.New("not everything that was expected was found"))
	}
	return err
}

// generation looks for all flaws of one generation. Flaws that need the same runs share them.
func generation(dir string, table *tabwriter.Writer) (all []json.RawMessage, failed bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err != nil {
		return nil, false, err
	}
	var flaws []flaw
	if err := json.Unmarshal(text, &flaws); err != nil {
		return nil, false, fmt.Errorf("%s/expect.json: %w", dir, err)
	}
	runs := map[string][]summary{}
	for _, f := range flaws {
		key := fmt.Sprint(f.Race, f.Test, f.Schedules, f.Seeds)
		if runs[key] == nil {
			raw, summaries, err := test(dir, f)
			if err != nil {
				return nil, false, err
			}
			all, runs[key] = append(all, raw...), summaries
		}
		missed, err := row(dir, judge(f, runs[key]), table)
		if err != nil {
			return nil, false, err
		}
		failed = failed || missed
	}
	return all, failed, nil
}

// test runs one of the monitor's tests against the generation.
func test(dir string, f flaw) (raw []json.RawMessage, summaries []summary, err error) {
	json1 := filepath.Join(out, "run.json")
	args := []string{"tool", "snapstorm", "test", "-subject", dir}
	if f.Race {
		args = append(args, "-race")
	}
	args = append(args, "./monitor", "--", "-test.run=^"+f.Test+"$", "-sim.verify=false", "-sim.shrink=0", "-sim.seeds="+strconv.Itoa(f.Seeds),
		"-sim.schedules="+strconv.Itoa(f.Schedules), "-sim.json="+json1, "-sim.out="+out)
	fmt.Fprintf(os.Stderr, "%s: %s, race %v, %d seeds of %d schedules\n", filepath.Base(dir), f.Test, f.Race, f.Seeds, f.Schedules)
	output, err := exec.Command("go", args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, output)
	}
	text, err := os.ReadFile(json1)
	if err != nil {
		return nil, nil, err
	}
	return raw, summaries, errors.Join(json.Unmarshal(text, &raw), json.Unmarshal(text, &summaries), os.Remove(json1))
}

// judge looks for the flaw in what each seed found.
func judge(f flaw, summaries []summary) outcome {
	o := outcome{flaw: f}
	for _, s := range summaries {
		first := finding{}
		for _, g := range s.Findings {
			same := g.Kind == f.Kind && strings.Contains(g.Summary, f.Summary) && strings.Contains(g.Place, f.Place)
			if same && (first.Schedule == 0 || g.Schedule < first.Schedule) {
				first = g
			}
		}
		if first.Schedule == 0 {
			continue
		}
		o.schedules = append(o.schedules, first.Schedule)
		if o.tape == "" {
			o.tape = first.Tape
		}
	}
	slices.Sort(o.schedules)
	return o
}

// row prints one line of the table and says whether something was missed.
func row(dir string, o outcome, table *tabwriter.Writer) (missed bool, err error) {
	median, worst, replays := "-", "-", "-"
	if n := len(o.schedules); n > 0 {
		median, worst = strconv.Itoa(o.schedules[n/2]), strconv.Itoa(o.schedules[n-1])
		if replays, missed, err = replay(o); err != nil {
			return true, err
		}
		if err := checkText(filepath.Base(dir), o.Kind, o.tape); err != nil {
			return true, err
		}
	}
	fmt.Fprintf(table, "%s\t%s\t%s\t%v\t%d of %d\t%s\t%s\t%s\n", filepath.Base(dir), o.Flaw, o.Kind, o.Race, len(o.schedules), o.Seeds, median, worst, replays)
	return missed || len(o.schedules) < o.Seeds, nil
}

var replayed = regexp.MustCompile(`shown again by (\d+) of (\d+) replays, hash equal in (\d+) of (\d+)`)

// replay plays the flaw's tape. The hash must be equal every time, and the finding shown every time, or at least once for
// a data race, of which the detector drops some.
func replay(o outcome) (text string, missed bool, err error) {
	var parts []string
	for _, procs := range []string{"1", "2", "8"} {
		cmd := exec.Command("go", "tool", "snapstorm", "replay", o.tape)
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+procs)
		output, err := cmd.CombinedOutput()
		m := replayed.FindStringSubmatch(string(output))
		if m == nil {
			return "", true, fmt.Errorf("replay of %s: %w\n%s", o.tape, err, output)
		}
		parts = append(parts, m[1]+"/"+m[2])
		missed = missed || m[3] != m[4] || m[1] == "0" || o.Kind != "data-race" && m[1] != m[2]
	}
	return strings.Join(parts, " "), missed, nil
}
