// Command power measures how soon each strategy shows what is wrong with the broken subjects of this tree: the historical
// generations of the monitor, the mutants of it that were made by hand, the example's bug, and a sample of the kernels.
//
// For each expected finding, each strategy and each seed it takes the first schedule that shows it. Beside them it measures
// what a user would do instead: a plain go test -race -count, running free, and the first run that reports anything.
//
// It prints a table and writes .snapstorm/power/summary.json.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

// free is no strategy of ours, but a plain go test -race -count.
const free = "free"

const out = ".snapstorm/power"

var (
	seeds    = flag.Int("seeds", 50, "how many seeds each strategy has")
	tries    = flag.Int("tries", 10, "how often a plain test is started, each time with -count")
	perClass = flag.Int("kernels", 1, "how many kernels of each class; 0 means all")
	bound    = flag.Int("bound", 100, "how many schedules a seed has, and how many iterations a plain test, where the subject does not need more")
	only     = flag.String("only", "generations,mutants,example,kernels", "which subjects")
	chosen   = flag.String("strategies", "random,pct,pos,portfolio,rapid,exhaustive,free", "which strategies")
)

// row is how soon a strategy shows a finding.
type row struct {
	Subject  string `json:"subject"`
	Finding  string `json:"finding"`
	Strategy string `json:"strategy"`
	Seeds    int    `json:"seeds"`  // or tries of a plain test
	Bound    int    `json:"bound"`  // schedules of a seed, or iterations of a try
	Median   int    `json:"median"` // of those that showed it; 0 if none did
	Worst    int    `json:"worst"`
	Missed   int    `json:"missed"`
}

func newRow(t target, strategy string, seeds, bound int, firsts []int) row {
	r := row{Subject: t.subject, Finding: t.finding, Strategy: strategy, Seeds: seeds, Bound: bound, Missed: seeds - len(firsts)}
	slices.Sort(firsts)
	if n := len(firsts); n > 0 {
		r.Median, r.Worst = firsts[n/2], firsts[n-1]
	}
	return r
}

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "power:", err)
		os.Exit(1)
	}
}

func run() error {
	r, err := runs.New(out)
	if err != nil {
		return err
	}
	targets, err := targets(r)
	if err != nil {
		return err
	}
	rows, failed := measureAll(r, targets)
	print(rows)
	return errors.Join(failed, r.Summarize(rows))
}

// atOnce is how many targets are measured side by side: most worlds of a search for a first finding run alone. Plain tests run
// one at a time, for they depend on how busy the machine is.
const atOnce = 2

func measureAll(r *runs.Runner, targets []target) (rows []row, failed error) {
	var group errgroup.Group
	group.SetLimit(atOnce)
	of, errs := make([][]row, len(targets)), make([]error, len(targets))
	each := func(i int, strategy string) {
		measured, err := targets[i].measure(r, strategy)
		for _, m := range measured {
			fmt.Fprintf(os.Stderr, "%d of %d: %s, %s, %s: median %d, worst %d, missed by %d of %d\n",
				i+1, len(targets), m.Subject, m.Finding, m.Strategy, m.Median, m.Worst, m.Missed, m.Seeds)
		}
		of[i], errs[i] = append(of[i], measured...), errors.Join(errs[i], err)
	}
	strategies := strings.Split(*chosen, ",")
	for i := range targets {
		group.Go(func() error {
			for _, strategy := range strategies {
				if strategy != free {
					each(i, strategy)
				}
			}
			return nil
		})
	}
	group.Wait()
	if slices.Contains(strategies, free) {
		for i := range targets {
			each(i, free)
		}
	}
	return slices.Concat(of...), errors.Join(errs...)
}

func print(rows []row) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "subject\tfinding\tstrategy\tseeds\tbound\tmedian\tworst\tmissed")
	for _, r := range rows {
		median, worst := "-", "-"
		if r.Missed < r.Seeds {
			median, worst = strconv.Itoa(r.Median), strconv.Itoa(r.Worst)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\t%s\t%d\n", r.Subject, r.Finding, r.Strategy, r.Seeds, r.Bound, median, worst, r.Missed)
	}
	w.Flush()
}
