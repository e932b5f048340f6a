package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// kill is an entry of kills.json, which the command mutants/report writes.
type kill struct {
	Subject    string `json:"subject"`
	Kind       string `json:"kind"`
	Killed     bool   `json:"killed"`
	Schedules  int    `json:"schedules"`
	By         string `json:"by"`
	Equivalent string `json:"equivalent"`
}

// kills has every generation and every mutant killed, but for those that are equivalent.
func kills(g *gate) ([]check, error) {
	fit, err := g.unit("^TestMutantsFit$")
	if err != nil || reds(fit) > 0 {
		return fit, err // none can be made
	}
	cmd := exec.Command("go", "run", "./testdata/mutants/report", "-out="+out)
	var said strings.Builder
	cmd.Stderr = io.MultiWriter(&said, os.Stderr) // its progress
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, fmt.Errorf("go run ./testdata/mutants/report: %w\n%s", err, said.String())
	}
	text, err := os.ReadFile(filepath.Join(out, "kills.json"))
	if err != nil {
		return nil, err
	}
	var list []kill
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("kills.json: %w", err)
	}
	all := fit
	for _, k := range list {
		all = append(all, k.check())
	}
	return all, nil
}

func (k kill) check() check {
	c := check{Name: k.Kind + " " + k.Subject, Green: k.Killed == (k.Equivalent == "")}
	switch {
	case k.Killed && k.Equivalent != "":
		c.Says = fmt.Sprintf("killed by %s, though testdata/mutants/equivalent.json says that it is equivalent: %s", k.By, k.Equivalent)
	case k.Killed:
		c.Says = fmt.Sprintf("killed by %s, at schedule %d", k.By, k.Schedules)
	case k.Equivalent != "":
		c.Says = "equivalent: " + k.Equivalent
	default:
		c.Says = fmt.Sprintf("NOT KILLED in %d schedules: nothing that the monitor's tests check tells it from the monitor", k.Schedules)
	}
	return c
}

const (
	benchstat = "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da"
	baseline  = "testdata/bench/baseline.txt"
	mostWorse = 50 // percent that a ratio may be worse than the baseline's, if benchstat says that it is no noise
)

// benchmarks compares ratios with the baseline's.
func benchmarks(*gate) ([]check, error) {
	ratios, err := output("go", "run", "./testdata/bench", "-ratios")
	if err != nil {
		return nil, err
	}
	now := filepath.Join(out, "ratios.txt")
	if err := os.WriteFile(now, ratios, 0o644); err != nil {
		return nil, err
	}
	table, err := output("go", "run", benchstat, "-format=csv", baseline, now)
	if err != nil {
		return nil, err
	}
	return compared(string(table))
}

// compared reads benchstat's table: the name, two columns for each file, and how the second compares with the first.
func compared(table string) (all []check, err error) {
	lines := csv.NewReader(strings.NewReader(table))
	lines.FieldsPerRecord = -1
	rows, err := lines.ReadAll()
	for _, r := range rows {
		if len(r) < 7 || r[0] == "" || r[0] == "geomean" {
			continue
		}
		c := check{Name: r[0], Green: true, Loose: true, Says: fmt.Sprintf("%s, baseline %s: %s (%s)", r[3], r[1], r[5], r[6])}
		if percent, isNumber := strings.CutSuffix(r[5], "%"); isNumber {
			worse, err := strconv.ParseFloat(percent, 64)
			if err != nil {
				return nil, fmt.Errorf("benchstat: %q: %w", r[5], err)
			}
			c.Green = worse <= mostWorse
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		err = cmp.Or(err, fmt.Errorf("benchstat compares nothing:\n%s", table))
	}
	return all, err
}

func output(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return text, err
}
