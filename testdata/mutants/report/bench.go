package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/sim/twin"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

// bench is a test binary of broken monitors, as it is and with the race detector.
type bench struct {
	plain, race twin.Twin
	dir         string // where the binary runs
	out         string // where runs leave what they write, below directories of their own
}

// build makes the test binary of the monitor's tests with the files of a directory in the place of its own.
func build(subject string, race bool) (*bench, error) {
	var paths [3]string
	for i, path := range []string{"monitor", subject, filepath.Join(work, "runs")} {
		var err error
		if paths[i], err = filepath.Abs(path); err != nil {
			return nil, err
		}
	}
	b := &bench{dir: paths[0], out: paths[2]}
	var err error
	if b.plain, err = buildTwin(paths[0], paths[1], false); err == nil && race {
		b.race, err = buildTwin(paths[0], paths[1], true)
	}
	return b, err
}

func buildTwin(dir, subject string, race bool) (twin.Twin, error) {
	fmt.Fprintf(os.Stderr, "building %s, race %v\n", filepath.Base(subject), race)
	request, err := twin.OfPackage(dir, subject, race, nil)
	if err != nil {
		return twin.Twin{}, err
	}
	return request.Build()
}

func (b *bench) twin(race bool) twin.Twin {
	if race {
		return b.race
	}
	return b.plain
}

// run is one run of a test: how many schedules, of what.
type run struct {
	Test      string
	Schedules int
	Rare      int // how rare faults are
	Race      bool
	Seed      int    // 0 is the first
	Until     string // a finding that ends it; "" is none
	Mutant    int    // of a binary that has many
}

// result is what a run came to.
type result struct {
	findings  []finding
	schedules int
}

// finding is what showed something to be wrong: a guarantee, a kind of finding, or a test without a scenario.
type finding struct {
	by       string
	schedule int // the first that showed it
}

// do runs a test, in one process at a time: others run beside it. The name is of the directory that it may use.
func (b *bench) do(name string, r run) (result, error) {
	out := filepath.Join(b.out, strings.ReplaceAll(name, " ", "-"))
	if err := os.MkdirAll(out, 0o755); err != nil {
		return result{}, err
	}
	defer os.RemoveAll(out)
	file := filepath.Join(out, "run.json")
	args := append(r.args(), "-sim.json="+file, "-sim.out="+out)
	cmd := exec.Command(b.twin(r.Race).Path, args...)
	cmd.Dir, cmd.Env = b.dir, b.twin(r.Race).Environ(os.Environ())
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		return result{}, err
	case r.Test == units:
		return failed(output, err), nil
	case err != nil && exit.ExitCode() != 1:
		return result{}, fmt.Errorf("%s: %s %q: %w\n%s", name, cmd.Path, args, err, output)
	}
	return read(file, output)
}

// args are the flags of the test binary.
func (r run) args() []string {
	args := []string{"-mutant=" + strconv.Itoa(r.Mutant), "-sim.points=sync", "-sim.workers=1"}
	if r.Mutant == 0 {
		args = args[1:] // a binary of one mutant has no such flag
	}
	if r.Test == units {
		return append(args, "-test.timeout="+unitTime, "-test.skip="+runs.NotUnits)
	}
	return append(args, "-test.run=^"+r.Test+"$", "-test.timeout=0", "-sim.verify=false", "-sim.shrink=0", "-sim.schedules="+strconv.Itoa(r.Schedules),
		"-sim.seed="+strconv.Itoa(max(1, r.Seed)), "-sim.until="+r.Until, "-rare="+strconv.Itoa(r.Rare))
}

const unitTime = "30s" // what takes longer hangs

var failing = regexp.MustCompile(`(?m)(?:^--- FAIL: |running tests:\s+)(\w+)`)

// failed is the result of tests without a scenario.
func failed(output []byte, err error) result {
	if err == nil {
		return result{}
	}
	by := "unit tests"
	if name := failing.FindSubmatch(output); name != nil {
		by = string(name[1])
	}
	return result{findings: []finding{{by: by}}}
}

func read(file string, output []byte) (result, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return result{}, fmt.Errorf("%w\n%s", err, output)
	}
	var summaries []sim.Summary
	var all result
	err = json.Unmarshal(text, &summaries)
	for _, s := range summaries {
		all.schedules += s.Schedules
		for _, f := range s.Findings {
			all.findings = append(all.findings, finding{cmp.Or(f.Property, f.Kind), f.Schedule})
		}
	}
	slices.SortStableFunc(all.findings, func(a, b finding) int { return a.schedule - b.schedule })
	return all, err
}
