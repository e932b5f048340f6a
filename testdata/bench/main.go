// Command bench runs the benchmarks, without and with -race, prints them in the format that benchstat reads, and writes
// .snapstorm/bench/summary.json.
//
// With -ratios it prints, in that format, only how things compare with what they stand beside: a step with a hand-over between
// two goroutines, a call of the cluster with one of the generated fakes. Ratios are much the same on all machines, so
// testdata/bench/baseline.txt holds some to compare with:
//
//	go run ./testdata/bench -ratios > testdata/bench/baseline.txt
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

const out = ".snapstorm/bench"

// suites are the benchmarks to run. A benchtime in times keeps the slow ones short.
var suites = []struct{ pkg, pattern, benchtime string }{
	{"./sim/sched", ".", "1s"},
	{"./fakes", "Relist|Flood", "3x"},
	{"./fakes", "Get|Update|List100|Deliver", "200ms"}, // beside the generated fakes
	{"./monitor", "Storm", "50x"},
}

// measurement is one line of output.
type measurement struct {
	Name    string             `json:"name"`
	Race    bool               `json:"race"`
	Metrics map[string]float64 `json:"metrics"`
}

var onlyRatios = flag.Bool("ratios", false, "print ratios, which do not depend much on the machine")

func main() {
	flag.Parse()
	do := run
	if *onlyRatios {
		do = printRatios
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return err
	}
	var all []measurement
	for _, race := range []bool{false, true} {
		text, err := benchmarks(race)
		if err != nil {
			return err
		}
		name := "plain.txt"
		if race {
			name = "race.txt"
		}
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o644); err != nil {
			return err
		}
		all = append(all, parse(text, race)...)
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "summary.json"), append(text, '\n'), 0o644)
}

// benchmarks runs all suites and returns what they print, with -race as a part of the names.
func benchmarks(race bool) (string, error) {
	var all strings.Builder
	for _, s := range suites {
		args := []string{"test", "-run=^$", "-bench=" + s.pattern, "-benchtime=" + s.benchtime}
		if race {
			args = append(args, "-race")
		}
		cmd := exec.Command("go", append(args, s.pkg)...)
		cmd.Stderr = os.Stderr
		text, err := cmd.Output()
		fmt.Print(label(string(text), race))
		all.WriteString(label(string(text), race))
		if err != nil {
			return "", fmt.Errorf("go test %s: %w", s.pkg, err)
		}
	}
	return all.String(), nil
}

// label adds /race to the names of benchmarks that ran with -race.
func label(text string, race bool) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		name, rest, ok := strings.Cut(line, " ")
		if race && ok && strings.HasPrefix(name, "Benchmark") {
			line = name + "/race " + rest
		}
		b.WriteString(line)
	}
	return b.String()
}

func parse(text string, race bool) []measurement {
	var all []measurement
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		m := measurement{Name: strings.TrimSuffix(f[0], "/race"), Race: race, Metrics: map[string]float64{}}
		for i := 2; i+1 < len(f); i += 2 {
			if v, err := strconv.ParseFloat(f[i], 64); err == nil {
				m.Metrics[f[i+1]] = v
			}
		}
		all = append(all, m)
	}
	return all
}
