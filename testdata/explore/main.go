// Command explore searches small scenarios to the end.
//
// The monitor must show nothing: in every order of steps with at most two preemptions, and with a crash ahead of any API
// write and at most one preemption. Each historical generation must show something in the same scenarios. Then it searches
// kernels and a small controller with the reduction and without, which must show the same.
//
// It prints tables and writes .snapstorm/explore/summary.json. Its exit code is 0 when all that was so.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/snapstorm/snapstorm/testdata/internal/flaws"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

var (
	only     = flag.String("only", "pair,generations,reduction", "which parts to do")
	perClass = flag.Int("kernels", 2, "how many kernels of each class are searched both ways; 0 means all")
	most     = flag.Int("most", 3000, "what takes more schedules than this without the reduction is not compared")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "explore:", err)
		os.Exit(1)
	}
}

func run() error {
	r, err := runs.New(".snapstorm/explore")
	if err != nil {
		return err
	}
	var all []result
	var failed error
	for _, part := range []struct {
		name string
		do   func(*runs.Runner) ([]result, error)
	}{{"pair", pair}, {"generations", generations}, {"reduction", reduction}} {
		if !strings.Contains(*only, part.name) {
			continue
		}
		results, err := part.do(r)
		all, failed = append(all, results...), errors.Join(failed, err)
	}
	return errors.Join(failed, r.Summarize(all))
}

var columns = []string{"subject", "test", "preemptions", "crashes", "schedules", "interleavings", "complete", "findings", "seconds"}

func newTable(columns ...string) *tabwriter.Writer {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(columns, "\t"))
	return w
}

// pair searches the monitor: nothing, to the end.
func pair(r *runs.Runner) (all []result, failed error) {
	w := newTable(columns...)
	defer w.Flush()
	for _, b := range pairs {
		fmt.Fprintf(os.Stderr, "monitor: %s, at most %d preemptions and %d crashes\n", b.test, b.preemptions, b.crashes)
		results, err := search(r, runs.Run{Race: true, Test: "^" + b.test + "$"}, b, true)
		if err != nil {
			return all, errors.Join(failed, err)
		}
		for _, s := range results {
			fmt.Fprintln(w, s.row())
			if !s.Complete || len(s.Findings) > 0 {
				failed = errors.Join(failed, fmt.Errorf("monitor, %s: complete %v, %d findings; want a complete search without any", s.Test, s.Complete, len(s.Findings)))
			}
		}
		all = append(all, results...)
	}
	return all, failed
}

// generations searches each generation until something is found.
func generations(r *runs.Runner) (all []result, failed error) {
	dirs, err := flaws.Dirs()
	if err != nil {
		return nil, err
	}
	w := newTable(columns...)
	defer w.Flush()
	for _, dir := range dirs {
		results, err := generation(r, dir)
		for _, s := range results {
			fmt.Fprintln(w, s.row())
		}
		all, failed = append(all, results...), errors.Join(failed, err)
	}
	return all, failed
}

func generation(r *runs.Runner, dir string) (all []result, err error) {
	for _, b := range attempts {
		fmt.Fprintf(os.Stderr, "%s: %s, at most %d preemptions and %d crashes\n", filepath.Base(dir), b.test, b.preemptions, b.crashes)
		results, err := search(r, runs.Run{Subject: dir, Race: true, Test: "^" + b.test + "$"}, b, true, "-sim.until=.")
		if err != nil {
			return all, err
		}
		all = append(all, results...)
		for _, s := range results {
			if len(s.Findings) > 0 {
				f := s.Findings[0]
				fmt.Fprintf(os.Stderr, "  schedule %d: %s: %s at %s\n", f.Schedule, f.Kind, f.Summary, f.Place)
				return all, nil
			}
		}
	}
	return all, fmt.Errorf("%s: no search showed anything", filepath.Base(dir))
}
