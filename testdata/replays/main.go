// Command replays finds the flaws of the historical generations, each with so many seeds that there are a hundred findings, and
// replays each of them as it was found, and shrunk. Every replay must have the hash of the tape, and show the finding again; a
// data race at least once, for the detector drops some.
//
// It prints a table and writes .snapstorm/replays/summary.json. Its exit code is 0 when all that was so.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/testdata/internal/flaws"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

var (
	findings = flag.Int("findings", 100, "how many findings to replay")
	shrink   = flag.Int("shrink", 60, "how many worlds the shrinking of one may take")
)

// total is what became of the findings of a flaw.
type total struct {
	Generation string `json:"generation"`
	Flaw       string `json:"flaw"`
	Kind       string `json:"kind"`
	Shrunk     bool   `json:"shrunk"`
	Findings   int    `json:"findings"`
	Replays    int    `json:"replays"`
	Equal      int    `json:"equal"` // had the tape's hash
	Shown      int    `json:"shown"`
	NeverShown int    `json:"never_shown"` // findings that no replay showed
	NotSmaller int    `json:"not_smaller"` // findings that were not shrunk
}

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "replays:", err)
		os.Exit(1)
	}
}

func run() error {
	r, err := runs.New(".snapstorm/replays")
	if err != nil {
		return err
	}
	list, err := flaws.Read()
	if err != nil {
		return err
	}
	all, failed := replayAll(r, list)
	print(all)
	sum := map[bool]int{}
	for _, t := range all {
		sum[t.Shrunk] += t.Findings
	}
	if sum[false] < *findings || sum[true] < *findings {
		failed = errors.Join(failed, fmt.Errorf("%d findings and %d shrunk ones, want %d of each", sum[false], sum[true], *findings))
	}
	return errors.Join(failed, r.Summarize(all))
}

// atOnce is how many flaws are looked at side by side: shrinking runs one world at a time.
const atOnce = 2

// replayAll shares the findings out among the flaws. Those of one generation come one after the other, for they share test
// binaries.
func replayAll(r *runs.Runner, list []flaws.Flaw) (all []total, failed error) {
	all, errs := make([]total, 2*len(list)), make([]error, 2*len(list))
	generations := map[string][]int{}
	for i, f := range list {
		generations[f.Generation] = append(generations[f.Generation], i)
	}
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, flaws := range generations {
		group.Go(func() error {
			for _, i := range flaws {
				seeds := *findings / len(list)
				if i < *findings%len(list) {
					seeds++
				}
				for k, shrunk := range []bool{false, true} {
					all[2*i+k], errs[2*i+k] = replay(r, list[i], seeds, shrunk)
				}
			}
			return nil
		})
	}
	group.Wait()
	return all, errors.Join(errs...)
}

// replay finds a flaw with so many seeds, and has each finding replayed, perhaps shrunk.
func replay(r *runs.Runner, f flaws.Flaw, seeds int, shrunk bool) (total, error) {
	t := total{Generation: f.Generation, Flaw: f.Name, Kind: f.Kind, Shrunk: shrunk}
	worlds := 0
	if shrunk {
		worlds = *shrink
	}
	run := f.Run("-sim.seeds="+fmt.Sprint(seeds), "-sim.schedules="+fmt.Sprint(f.Schedules), fmt.Sprintf("-sim.shrink=%d", worlds))
	fmt.Fprintf(os.Stderr, "%s, %s: %d seeds, shrunk %v\n", f.Generation, f.Name, seeds, shrunk)
	summaries, err := r.Run(run)
	if err != nil {
		return t, err
	}
	var failed error
	for _, s := range summaries {
		for _, g := range s.Findings {
			if f.Is(g) {
				failed = errors.Join(failed, t.add(g))
			}
		}
	}
	return t, failed
}

// add counts a finding, and returns an error for one that did not replay.
func (t *total) add(f sim.Finding) error {
	t.Findings, t.Replays, t.Equal, t.Shown = t.Findings+1, t.Replays+f.Replays, t.Equal+f.Equal, t.Shown+f.Shown
	if f.Shown == 0 {
		t.NeverShown++
	}
	if t.Shrunk && f.Shrunk == "" {
		t.NotSmaller++
	}
	if f.Replays == 0 || f.Equal < f.Replays || f.Shown == 0 || f.Kind != "data-race" && f.Shown < f.Replays {
		return fmt.Errorf("%s, %s, seed %d, shrunk %q: %d replays, hash equal in %d, shown by %d: %s", t.Generation, t.Flaw, f.Seed, f.Shrunk, f.Replays, f.Equal, f.Shown, f.Tape)
	}
	return nil
}

func print(all []total) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join([]string{"generation", "flaw", "kind", "shrunk", "findings", "replays", "hash equal", "shown again", "never shown", "not smaller"}, "\t"))
	for _, t := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%v\t%d\t%d\t%d\t%d\t%d\t%d\n", t.Generation, t.Flaw, t.Kind, t.Shrunk, t.Findings, t.Replays, t.Equal, t.Shown, t.NeverShown, t.NotSmaller)
	}
	w.Flush()
}
