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
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"github.com/snapstorm/snapstorm/testdata/internal/flaws"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

var (
	update = flag.Bool("update", false, "write the tapes in testdata/tapes and the texts in testdata/golden anew")
	out    = flag.String("out", ".snapstorm/reproduce", "where to write")
)

func main() {
	flag.Parse()
	if err := run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "reproduce:", err)
		os.Exit(1)
	}
}

func run(only []string) error {
	runner, err := runs.New(*out)
	if err != nil {
		return err
	}
	list, err := flaws.Read()
	if err != nil {
		return err
	}
	if len(only) > 0 {
		list = slices.DeleteFunc(list, func(f flaws.Flaw) bool { return !slices.Contains(only, f.Generation) })
	}
	all, err := findAll(runner, list)
	if err != nil {
		return err
	}
	print(all)
	var example error
	if len(only) == 0 {
		example = checkExample(runner)
	}
	return errors.Join(runner.Summarize(all), complete(all), example)
}

// atOnce is how many subjects are looked at side by side: most worlds of a search for a first finding run alone.
const atOnce = 2

// findAll looks for the flaws. Those of one subject come one after the other, for they share a test binary.
func findAll(runner *runs.Runner, list []flaws.Flaw) ([]*outcome, error) {
	all := make([]*outcome, len(list))
	subjects := map[string][]int{}
	var order []string
	for i, f := range list {
		subject := fmt.Sprint(f.Generation, f.Race)
		if subjects[subject] == nil {
			order = append(order, subject)
		}
		subjects[subject] = append(subjects[subject], i)
	}
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, subject := range order {
		group.Go(func() error {
			for _, i := range subjects[subject] {
				var err error
				if all[i], err = find(runner, list[i]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return all, group.Wait()
}

func print(all []*outcome) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "generation\tflaw\tfound by\tseeds\tmedian schedule\tworst\tshrunk to\treplays, GOMAXPROCS 1, 2, 8\ttape")
	for _, o := range all {
		o.row(table)
	}
	table.Flush()
}

// row prints one line of the table.
func (o *outcome) row(table *tabwriter.Writer) {
	median, worst := "-", "-"
	if n := len(o.Schedules); n > 0 {
		median, worst = strconv.Itoa(o.Schedules[n/2]), strconv.Itoa(o.Schedules[n-1])
	}
	by := o.FoundBy()
	if o.Race {
		by += ", -race"
	}
	fmt.Fprintf(table, "%s\t%s\t%s\t%d of %d\t%s\t%s\t%s\t%s\t%s\n",
		o.Generation, o.Flaw.Flaw, by, len(o.Schedules), o.Seeds, median, worst, o.Shrunk, o.Replays, o.Tape)
}

// complete returns an error for what was not found as it should be.
func complete(all []*outcome) error {
	var missed []error
	for _, o := range all {
		if n := len(o.Schedules); n < o.Seeds {
			missed = append(missed, fmt.Errorf("%s, %s: found for %d of %d seeds", o.Generation, o.Flaw.Flaw, n, o.Seeds))
		}
		if o.Failed != "" {
			missed = append(missed, fmt.Errorf("%s, %s: %s", o.Generation, o.Flaw.Flaw, o.Failed))
		}
	}
	return errors.Join(missed...)
}
