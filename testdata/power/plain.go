package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/snapstorm/snapstorm/sim/twin"
)

// plain is a test of a subject that runs free.
type plain struct {
	pkg, test string // as go test and -test.run take them
	run       string // the test's name
	subject   string // a directory of files that replace the monitor's own; "" is none
}

// binaries are the plain tests that were built, and measured those that were run: findings of one subject share them.
var (
	binaries = map[plain]string{}
	measured = map[plain]bool{}
)

// runFree starts the plain test a few times, each with -count, and takes the first iteration that reports anything.
func (t target) runFree() ([]row, error) {
	if t.plain.pkg == "" || measured[t.plain] {
		return nil, nil
	}
	measured[t.plain] = true
	binary, err := t.plain.build()
	if err != nil {
		return nil, err
	}
	var firsts []int
	for range *tries {
		if first := t.plain.first(binary, t.bound); first > 0 {
			firsts = append(firsts, first)
		}
	}
	t.finding = "anything"
	return []row{newRow(t, free, *tries, t.bound, firsts)}, nil
}

// first returns the first iteration that reports anything, from 1; 0 if none does. A race, a failed test, a panic and a
// time-out all end the process.
func (p plain) first(binary string, count int) int {
	cmd := exec.Command(binary, "-test.run="+p.test, "-test.count="+strconv.Itoa(count), "-test.v", "-test.failfast", "-test.timeout=5m")
	cmd.Env = append(os.Environ(), "GORACE=halt_on_error=1 atexit_sleep_ms=0")
	output, err := cmd.CombinedOutput()
	if err == nil {
		return 0
	}
	first := 0
	for line := range strings.Lines(string(output)) {
		if strings.Contains(line, "=== RUN") && strings.HasSuffix(strings.TrimSpace(line), " "+p.run) {
			first++
		}
	}
	return first
}

// build compiles the test with -race, with the subject's files in place of the monitor's, once.
func (p plain) build() (string, error) {
	key := plain{pkg: p.pkg, subject: p.subject}
	if binaries[key] != "" {
		return binaries[key], nil
	}
	path, err := filepath.Abs(filepath.Join(out, fmt.Sprintf("free%d.test", len(binaries))))
	if err != nil {
		return "", err
	}
	args := []string{"test", "-race", "-c", "-o", path}
	if p.subject != "" {
		overlay, err := p.overlay()
		if err != nil {
			return "", err
		}
		args = append(args, "-overlay="+overlay)
	}
	if output, err := exec.Command("go", append(args, p.pkg)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go test -c %s of %s: %w\n%s", p.pkg, p.subject, err, output)
	}
	binaries[key] = path
	return path, nil
}

// overlay writes a file for go build -overlay that puts the subject's files in the place of the monitor's. Its tests stay away.
func (p plain) overlay() (string, error) {
	dir, err := filepath.Abs("monitor")
	if err != nil {
		return "", err
	}
	replace, err := twin.Replaced(dir, p.subject)
	if err != nil {
		return "", err
	}
	maps.DeleteFunc(replace, func(_, file string) bool { return strings.HasSuffix(file, "_test.go") })
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(out, "overlay.json")
	return path, os.WriteFile(path, text, 0o644)
}
