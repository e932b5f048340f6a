// Command report shows that each monitor that was broken by hand is caught: it runs the monitor's own tests against it and
// prints what found it. Its exit code is 0 when each was caught by what it names, and by nothing else where it says so.
// Parts of names restrict it to those.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/snapstorm/snapstorm/testdata/mutants/hand"
)

const (
	out       = ".snapstorm/mutants"
	snapstorm = out + "/snapstorm" // the command, built once
)

func main() {
	flag.Parse()
	if err := run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(parts []string) error {
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return err
	}
	if output, err := exec.Command("go", "build", "-o", snapstorm, "./sim/cmd/snapstorm").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	var missed []error
	for i, m := range hand.All() {
		if len(parts) > 0 && !slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(m.Name, p) }) {
			continue
		}
		found, err := play(i, m)
		if err != nil {
			return err
		}
		verdict := judge(m, found)
		if verdict != "caught" {
			missed = append(missed, fmt.Errorf("%s: %s", m.Name, verdict))
		}
		fmt.Printf("trap %2d  %-62s %-16s %s: %s\n", m.Trap, m.Name, m.CaughtBy, verdict, list(found))
	}
	return errors.Join(missed...)
}

// play runs the test against the mutant, and returns the first schedule that showed each guarantee broken and each kind of finding.
func play(i int, m hand.Mutant) (map[string]int, error) {
	dir := m.Subject
	if dir == "" {
		dir = filepath.Join(out, strconv.Itoa(i))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		if _, err := m.Write("monitor", dir); err != nil {
			return nil, err
		}
	}
	file := filepath.Join(out, "run.json")
	args := []string{"test", "-subject", dir, "./monitor", "--", "-test.run=^" + m.Test + "$", "-sim.points=sync", "-sim.verify=false", "-sim.shrink=0",
		"-sim.schedules=" + strconv.Itoa(m.Schedules), "-sim.json=" + file, "-sim.out=" + filepath.Join(out, "tapes", strconv.Itoa(i)), "-rare=" + strconv.Itoa(cmp.Or(m.Rare, 50))}
	if !m.Only {
		args = append(args, "-sim.until=^("+m.CaughtBy+"|property : "+m.CaughtBy+") ")
	}
	output, err := exec.Command(snapstorm, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, fmt.Errorf("%s: snapstorm %s: %w\n%s", m.Name, strings.Join(args, " "), err, output)
	}
	return read(file)
}

func read(file string) (map[string]int, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var summaries []struct {
		Findings []struct {
			Kind, Property string
			Schedule       int
		}
	}
	found := map[string]int{}
	err = json.Unmarshal(text, &summaries)
	for _, s := range summaries {
		for _, f := range s.Findings {
			by := cmp.Or(f.Property, f.Kind)
			if n := found[by]; n == 0 || f.Schedule < n {
				found[by] = f.Schedule
			}
		}
	}
	return found, err
}

// judge says whether the mutant was caught as it must be.
func judge(m hand.Mutant, found map[string]int) string {
	switch {
	case found[m.CaughtBy] == 0:
		return "NOT CAUGHT"
	case m.Only && len(found) > 1:
		return "CAUGHT BY OTHERS TOO"
	}
	return "caught"
}

func list(found map[string]int) string {
	var parts []string
	for _, by := range slices.Sorted(maps.Keys(found)) {
		parts = append(parts, fmt.Sprintf("%s (schedule %d)", by, found[by]))
	}
	return strings.Join(parts, ", ")
}
