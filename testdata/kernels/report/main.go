// Command report tests all kernels and prints, class by class, how many schedules each seed needed to find the bug, beside
// how many runs a plain go test -race with goleak needs. It writes .snapstorm/kernels/summary.json. Its exit code is 0 when
// every bug was found by every seed, every tape replayed with equal hashes, and no fixed twin showed anything.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/snapstorm/snapstorm/testdata/kernels"
	"github.com/snapstorm/snapstorm/testdata/kernels/kube"
)

const out = ".snapstorm/kernels"

// freeRuns is how often each bug is run free; 0 in the table means that none of them showed it.
const freeRuns = 20

// summary is what the test binaries write; see package sim.
type summary struct {
	Subject   string
	Schedules int
	Findings  []struct {
		Kind                            string
		Schedule, Replays, Equal, Shown int
	}
}

// kernel is one line of the table.
type kernel struct {
	name, class, want string
	light             bool // of the package without Kubernetes, whose bugs can be run free
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(1)
	}
}

func run() error {
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return err
	}
	var failed error
	var raw []json.RawMessage
	found := map[string][]summary{}
	for _, race := range []bool{true, false} {
		text, err := test(race)
		failed = errors.Join(failed, err)
		var some []json.RawMessage
		var summaries []summary
		if err := errors.Join(json.Unmarshal(text, &some), json.Unmarshal(text, &summaries)); err != nil {
			return errors.Join(failed, err)
		}
		raw = append(raw, some...)
		for _, s := range summaries {
			found[s.Subject] = append(found[s.Subject], s)
		}
	}
	text, err := json.MarshalIndent(raw, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(out, "summary.json"), append(text, '\n'), 0o644)
	}
	return errors.Join(failed, err, table(found))
}

// test runs all kernels in one mode.
func test(race bool) ([]byte, error) {
	file := filepath.Join(out, fmt.Sprintf("race-%v.json", race))
	args := []string{"tool", "snapstorm", "test"}
	if race {
		args = append(args, "-race")
	}
	args = append(args, "./testdata/kernels", "./testdata/kernels/kube", "--", "-sim.progress=false", "-sim.out="+out, "-sim.json="+file)
	fmt.Fprintf(os.Stderr, "go %s\n", strings.Join(args, " "))
	output, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s", output)
		err = fmt.Errorf("race %v: %w", race, err)
	}
	text, readErr := os.ReadFile(file)
	return text, errors.Join(err, readErr, os.Remove(file))
}

// table prints what was found, and returns an error if a tape did not replay.
func table(found map[string][]summary) error {
	free, err := compileFree()
	if err != nil {
		return err
	}
	defer os.Remove(free)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "class\tkernel\tfinding\tfound by seeds\tmedian schedule\tworst\tequal replays\tfixed twin, schedules\tplain go test -race + goleak")
	var bad []string
	for _, k := range all() {
		row, ok := k.row(found[k.name], found[k.name+"/fixed"])
		if !ok {
			bad = append(bad, k.name)
		}
		plain := "-"
		if k.light {
			plain = k.free(free)
		}
		fmt.Fprintf(w, "%s\t%s\n", row, plain)
	}
	if err := w.Flush(); err != nil || len(bad) == 0 {
		return err
	}
	return fmt.Errorf("not as expected: %s", strings.Join(bad, ", "))
}

func all() []kernel {
	var list []kernel
	for _, k := range kernels.All() {
		list = append(list, kernel{k.Name, k.Class, k.Want, true})
	}
	for _, k := range kube.All() {
		list = append(list, kernel{k.Name, k.Class, k.Want, false})
	}
	return list
}

// row is what the seeds found of one kernel, and whether it is as it should be.
func (k kernel) row(seeds, fixed []summary) (text string, ok bool) {
	var schedules []int
	replays, equal, clean, twin := 0, 0, true, 0
	for _, s := range seeds {
		first := 0
		for _, f := range s.Findings {
			replays, equal = replays+f.Replays, equal+f.Equal
			if f.Kind == k.want && (first == 0 || f.Schedule < first) {
				first = f.Schedule
			}
		}
		if first > 0 {
			schedules = append(schedules, first)
		}
	}
	for _, s := range fixed {
		twin, clean = twin+s.Schedules, clean && len(s.Findings) == 0
	}
	median, worst := "-", "-"
	if slices.Sort(schedules); len(schedules) > 0 {
		median, worst = strconv.Itoa(schedules[len(schedules)/2]), strconv.Itoa(schedules[len(schedules)-1])
	}
	ok = len(schedules) > 0 && len(schedules) == len(seeds) && replays == equal && clean
	return fmt.Sprintf("%s\t%s\t%s\t%d of %d\t%s\t%s\t%d of %d\t%d", k.class, k.name, k.want, len(schedules), len(seeds), median, worst, equal, replays, twin), ok
}

// compileFree builds the plain test of the bugs.
func compileFree() (string, error) {
	path, err := filepath.Abs(filepath.Join(out, "free.test"))
	if err != nil {
		return "", err
	}
	output, err := exec.Command("go", "test", "-race", "-c", "-o", path, "./testdata/kernels/free").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, output)
	}
	return path, nil
}

// free runs the bug without the scheduler and says which of the runs was the first to show something.
func (k kernel) free(binary string) string {
	for i := range freeRuns {
		cmd := exec.Command(binary, "-test.run=^TestFree$/^"+k.name+"$", "-test.timeout=10s")
		cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
		if cmd.Run() != nil {
			return fmt.Sprintf("run %d", i+1)
		}
	}
	return fmt.Sprintf("not in %d runs", freeRuns)
}
