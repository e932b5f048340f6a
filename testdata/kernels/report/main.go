// Command report tests all kernels and prints, class by class, how many schedules each seed needed to find the bug, beside
// how many runs a plain go test -race with goleak needs. It writes .snapstorm/kernels/summary.json. Its exit code is 0 when
// every bug was found by every seed, every tape replayed with equal hashes, and no fixed twin showed anything.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	why               string // it needs more schedules than usual
	light             bool   // of the package without Kubernetes, whose bugs can be run free
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
	args = append(args, "./testdata/kernels", "./testdata/kernels/kube", "--", "-test.run=^TestKernels$", "-sim.progress=false", "-sim.out="+out, "-sim.json="+file)
	fmt.Fprintf(os.Stderr, "go %s\n", strings.Join(args, " "))
	output, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s", output)
		err = fmt.Errorf("race %v: %w", race, err)
	}
	text, readErr := os.ReadFile(file)
	return text, errors.Join(err, readErr, os.Remove(file))
}

// table prints what was found, kernel by kernel and class by class, and returns an error if something is not as it should be.
func table(found map[string][]summary) error {
	free, err := compileFree()
	if err != nil {
		return err
	}
	defer os.Remove(free)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "class\tkernel\tfinding\tfound by seeds\tmedian schedule\tworst\tequal replays\tfixed twin, schedules\tplain go test -race + goleak")
	var results []result
	var bad, rare []string
	for _, k := range all() {
		r := k.result(found[k.name], found[k.name+"/fixed"])
		if k.light {
			r.plain = k.free(free)
		}
		fmt.Fprintln(w, r.row())
		if !r.ok() {
			bad = append(bad, k.name)
		}
		if r.worst() > usual {
			rare = append(rare, fmt.Sprintf("%s needed %d schedules: %s", k.name, r.worst(), k.why))
		}
		results = append(results, r)
	}
	fmt.Fprintln(w)
	classes(w, results)
	if err := w.Flush(); err != nil {
		return err
	}
	for _, why := range rare {
		fmt.Println(why)
	}
	if len(bad) == 0 {
		return nil
	}
	return fmt.Errorf("not as expected: %s", strings.Join(bad, ", "))
}

// usual is within how many schedules every seed finds a bug, but for those that say why not.
const usual = 100

// classes prints a line for each class: the median and the worst of all its kernels and seeds.
func classes(w io.Writer, results []result) {
	fmt.Fprintln(w, "class\tkernels\tmedian schedule\tworst\tshown by plain go test -race + goleak")
	for len(results) > 0 {
		class, kernels, free, shown := results[0].class, 0, 0, 0
		var total result
		var rest []result
		for _, r := range results {
			if r.class != class {
				rest = append(rest, r)
				continue
			}
			kernels++
			total.schedules = append(total.schedules, r.schedules...)
			if r.light {
				free++
			}
			if strings.HasPrefix(r.plain, "run ") {
				shown++
			}
		}
		slices.Sort(total.schedules)
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d of %d\n", class, kernels, total.median(), total.worst(), shown, free)
		results = rest
	}
}

func all() []kernel {
	var list []kernel
	for _, k := range kernels.All() {
		list = append(list, kernel{k.Name, k.Class, k.Want, k.Why, true})
	}
	for _, k := range kube.All() {
		list = append(list, kernel{k.Name, k.Class, k.Want, k.Why, false})
	}
	return list
}

// result is what was found of one kernel.
type result struct {
	kernel
	seeds          int
	schedules      []int // the first to show the bug, of each seed that found it, sorted
	replays, equal int
	twin           int    // schedules of the fixed twin
	dirty          bool   // the twin showed something
	plain          string // when it showed without the scheduler
}

func (k kernel) result(seeds, fixed []summary) result {
	r := result{kernel: k, seeds: len(seeds), plain: "-"}
	for _, s := range seeds {
		first := 0
		for _, f := range s.Findings {
			r.replays, r.equal = r.replays+f.Replays, r.equal+f.Equal
			if f.Kind == k.want && (first == 0 || f.Schedule < first) {
				first = f.Schedule
			}
		}
		if first > 0 {
			r.schedules = append(r.schedules, first)
		}
	}
	for _, s := range fixed {
		r.twin, r.dirty = r.twin+s.Schedules, r.dirty || len(s.Findings) > 0
	}
	slices.Sort(r.schedules)
	return r
}

func (r result) median() int {
	if len(r.schedules) == 0 {
		return 0
	}
	return r.schedules[len(r.schedules)/2]
}

func (r result) worst() int {
	if len(r.schedules) == 0 {
		return 0
	}
	return r.schedules[len(r.schedules)-1]
}

// ok says whether every seed found the bug, every replay was equal, and the twin showed nothing.
func (r result) ok() bool {
	explained := r.worst() <= usual || r.why != ""
	return r.seeds > 0 && len(r.schedules) == r.seeds && r.replays == r.equal && r.twin > 0 && !r.dirty && explained
}

func (r result) row() string {
	return fmt.Sprintf("%s\t%s\t%s\t%d of %d\t%d\t%d\t%d of %d\t%d\t%s",
		r.class, r.name, r.want, len(r.schedules), r.seeds, r.median(), r.worst(), r.equal, r.replays, r.twin, r.plain)
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
