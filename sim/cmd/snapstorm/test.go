package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/sim/internal/atomicfile"
	"github.com/snapstorm/snapstorm/sim/twin"
)

// testRun is one call of the test command.
type testRun struct {
	race     bool
	subject  string
	patterns []string
	args     []string // of the test binary
	json     string   // file for the summary of everything
	junit    string   // file for the JUnit report of everything
}

func parseTest(args []string) (testRun, error) {
	r := testRun{}
	set := flag.NewFlagSet("test", flag.ContinueOnError)
	set.SetOutput(new(strings.Builder))
	set.BoolVar(&r.race, "race", false, "")
	set.StringVar(&r.subject, "subject", "", "")
	if i := slices.Index(args, "--"); i >= 0 {
		args, r.args = args[:i], args[i+1:]
	}
	if err := set.Parse(args); err != nil {
		return r, fmt.Errorf("%w\n%s", err, usage)
	}
	if r.patterns = set.Args(); len(r.patterns) == 0 {
		r.patterns = []string{"."}
	}
	return r, r.splitArgs()
}

// splitArgs takes the summary's file out of the test binary's flags: each binary writes a summary of its own, and they are
// put together at the end. The binaries run in the directories of their packages, so other files get absolute names.
func (r *testRun) splitArgs() error {
	rest := r.args[:0]
	for _, a := range r.args {
		name, value, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch name {
		case "sim.json", "sim.junit", "sim.out", "sim.replay", "sim.trace", "sim.html":
			path, err := filepath.Abs(value)
			if err != nil {
				return err
			}
			switch name {
			case "sim.json":
				r.json = path
				continue
			case "sim.junit":
				r.junit = path
				continue
			}
			a = "-" + name + "=" + path
		}
		rest = append(rest, a)
	}
	r.args = rest
	return nil
}

// test runs the tests of packages under the scheduler.
func test(args []string) (int, error) {
	r, err := parseTest(args)
	if err != nil {
		return exitMisuse, err
	}
	dirs, err := packageDirs(r.patterns)
	if err != nil {
		return exitMisuse, err
	}
	code := 0
	var summaries []json.RawMessage
	for _, dir := range dirs {
		c, s, err := r.one(dir)
		if err != nil {
			return exitMisuse, err
		}
		code, summaries = max(code, c), append(summaries, s...)
	}
	if r.json != "" {
		err = writeSummaries(r.json, summaries)
	}
	if r.junit != "" {
		err = errors.Join(err, writeJUnit(r.junit, summaries))
	}
	return code, err
}

// packageDirs lists the directories of the packages whose tests use package sim.
func packageDirs(patterns []string) ([]string, error) {
	const format = `{{.Dir}}{{"\t"}}{{join .TestImports " "}} {{join .XTestImports " "}}`
	out, err := exec.Command("go", append([]string{"list", "-f", format}, patterns...)...).Output()
	if err != nil {
		return nil, goError(err)
	}
	var dirs []string
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		dir, imports, _ := strings.Cut(line, "\t")
		if slices.Contains(strings.Fields(imports), "github.com/snapstorm/snapstorm/sim") {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return nil, fmt.Errorf("no test of %s uses package github.com/snapstorm/snapstorm/sim", strings.Join(patterns, " "))
	}
	return dirs, nil
}

// goError is what a go command said, in one line.
func goError(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return errors.New(strings.Join(strings.Fields(string(exit.Stderr)), " "))
	}
	return fmt.Errorf("the go command is needed: %w", err)
}

// one builds and runs the tests of one package.
func (r testRun) one(dir string) (code int, summaries []json.RawMessage, err error) {
	subject, err := absolute(r.subject)
	if err != nil {
		return 0, nil, err
	}
	request, err := twin.OfPackage(dir, subject, r.race, nil)
	if err != nil {
		return 0, nil, err
	}
	built, err := request.Build()
	if err != nil {
		return 0, nil, err
	}
	f, err := os.CreateTemp("", "snapstorm-*.json")
	if err != nil {
		return 0, nil, err
	}
	f.Close()
	defer os.Remove(f.Name())
	args := append([]string{"-sim.progress", "-sim.json=" + f.Name()}, r.args...)
	switch code, err = execute(built, dir, os.Stdout, args); {
	case err != nil:
		return exitMisuse, nil, err
	case code == twin.ExitMisuse:
		return exitMisuse, nil, nil
	case code == exitPanic: // a test without a world has ended the binary, which wrote nothing
		return exitFinding, nil, nil
	}
	text, err := os.ReadFile(f.Name())
	if err == nil {
		err = json.Unmarshal(text, &summaries)
	}
	return code, summaries, err
}

// exitPanic is what Go ends a process with that panics.
const exitPanic = 2

// execute runs a twin in its package's directory, and returns its exit code: 0, or one of exitFinding, exitPanic and
// twin.ExitMisuse. Whatever ends it otherwise, such as a signal, is an error.
func execute(built twin.Twin, dir string, stdout *os.File, args []string) (int, error) {
	cmd := exec.Command(built.Path, args...)
	cmd.Dir = dir
	cmd.Env = built.Environ(os.Environ())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, err
	}
	switch code := exit.ExitCode(); code {
	case exitFinding, exitPanic, twin.ExitMisuse:
		return code, nil
	}
	return 0, fmt.Errorf("the test binary of %s was ended by others than its tests: %w", dir, err)
}

func absolute(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	return filepath.Abs(path)
}

// writeJUnit writes all summaries as one report.
func writeJUnit(path string, summaries []json.RawMessage) error {
	var all []sim.Summary
	for _, text := range summaries {
		var s sim.Summary
		if err := json.Unmarshal(text, &s); err != nil {
			return err
		}
		all = append(all, s)
	}
	text, err := sim.JUnit(all)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, text)
}

// writeSummaries writes all summaries as one array, whole or not at all.
func writeSummaries(path string, summaries []json.RawMessage) error {
	if summaries == nil {
		summaries = []json.RawMessage{}
	}
	text, err := json.MarshalIndent(summaries, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(text, '\n'))
}
