// Command reproduce finds every flaw that the historical generations of the hand-over are known for.
//
// Each generation's expect.json lists its flaws: the kind of finding, its property or a part of its summary and place, and
// within how many schedules each of so many seeds must show it. Reproduce runs the monitor's own tests against the
// generation, and replays the tape of the first seed and the one in testdata/tapes, with GOMAXPROCS 1, 2 and 8. It prints a
// table and writes .snapstorm/reproduce/summary.json. Its exit code is 0 when everything was found.
//
// With -update it writes the tapes in testdata/tapes anew: each is of the first seed that shows the flaw, shrunk. Names of
// generations restrict it to those.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"text/tabwriter"
)

const (
	out       = ".snapstorm/reproduce"
	snapstorm = out + "/snapstorm" // the command, built once
)

var update = flag.Bool("update", false, "write the tapes in testdata/tapes anew")

func main() {
	flag.Parse()
	if err := run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "reproduce:", err)
		os.Exit(1)
	}
}

func run(only []string) error {
	lists, err := filepath.Glob("testdata/generations/*/expect.json")
	if err != nil || len(lists) == 0 {
		return errors.Join(err, errors.New("no testdata/generations/*/expect.json: run it in the module's root"))
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if output, err := exec.Command("go", "build", "-o", snapstorm, "./sim/cmd/snapstorm").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "generation\tflaw\tfound by\tseeds\tmedian schedule\tworst\tshrunk to\treplays, GOMAXPROCS 1, 2, 8\ttape")
	var all []outcome
	for _, list := range lists {
		if dir := filepath.Dir(list); len(only) == 0 || slices.Contains(only, filepath.Base(dir)) {
			found, err := generation(dir, table)
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
	}
	table.Flush()
	return errors.Join(summarize(all), complete(all))
}

// generation looks for all flaws of one generation.
func generation(dir string, table *tabwriter.Writer) ([]outcome, error) {
	text, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err != nil {
		return nil, err
	}
	var flaws []flaw
	if err := json.Unmarshal(text, &flaws); err != nil {
		return nil, fmt.Errorf("%s/expect.json: %w", dir, err)
	}
	var all []outcome
	for _, f := range flaws {
		f.Generation = filepath.Base(dir)
		o, err := f.find(dir)
		if err != nil {
			return nil, err
		}
		o.row(table)
		all = append(all, o)
	}
	return all, nil
}

// row prints one line of the table.
func (o outcome) row(table *tabwriter.Writer) {
	median, worst := "-", "-"
	if n := len(o.Schedules); n > 0 {
		median, worst = strconv.Itoa(o.Schedules[n/2]), strconv.Itoa(o.Schedules[n-1])
	}
	fmt.Fprintf(table, "%s\t%s\t%s\t%d of %d\t%s\t%s\t%s\t%s\t%s\n",
		o.Generation, o.Flaw, o.foundBy(), len(o.Schedules), o.Seeds, median, worst, o.Shrunk, o.Replays, o.Tape)
}

func summarize(all []outcome) error {
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "summary.json"), append(text, '\n'), 0o644)
}

// complete returns an error for what was not found as it should be.
func complete(all []outcome) error {
	var missed []error
	for _, o := range all {
		if n := len(o.Schedules); n < o.flaw.Seeds {
			missed = append(missed, fmt.Errorf("%s, %s: found for %d of %d seeds", o.Generation, o.Flaw, n, o.Seeds))
		}
		if o.Failed != "" {
			missed = append(missed, fmt.Errorf("%s, %s: %s", o.Generation, o.Flaw, o.Failed))
		}
	}
	return errors.Join(missed...)
}
