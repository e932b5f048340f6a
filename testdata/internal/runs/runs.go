package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/snapstorm/snapstorm/sim"
)

// Runner runs tests, and keeps what they write in one directory.
type Runner struct{ out string }

// New returns a Runner for a directory, which it empties. It builds the command snapstorm once.
func New(out string) (*Runner, error) {
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return nil, err
	}
	r := &Runner{out}
	if output, err := exec.Command("go", "build", "-o", r.command(), "./sim/cmd/snapstorm").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build ./sim/cmd/snapstorm: %w: run it in the module's root\n%s", err, output)
	}
	return r, nil
}

func (r *Runner) command() string { return filepath.Join(r.out, "snapstorm") }

// Run is one run of tests under the scheduler.
type Run struct {
	Subject string // a directory of files that replace the package's own; "" is none
	Race    bool
	Package string
	Test    string   // regular expression, as -test.run takes it
	Flags   []string // of the test binary
}

// Run runs the tests and returns what each Check found out. That they found something, or that a test failed for what they
// found or not, is no error.
func (r *Runner) Run(run Run) ([]sim.Summary, error) {
	file := filepath.Join(r.out, "run.json")
	args := []string{"test"}
	if run.Subject != "" {
		args = append(args, "-subject", run.Subject)
	}
	if run.Race {
		args = append(args, "-race")
	}
	args = append(args, run.Package, "--", "-test.run="+run.Test, "-test.timeout=0", "-sim.out="+filepath.Join(r.out, "tapes"), "-sim.json="+file)
	args = append(args, run.Flags...)
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	output, err := exec.Command(r.command(), args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, fmt.Errorf("snapstorm %s: %w\n%s", strings.Join(args, " "), err, output)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("snapstorm %s: %w\n%s", strings.Join(args, " "), err, output)
	}
	var all []sim.Summary
	return all, json.Unmarshal(text, &all)
}

// Summarize writes v to summary.json in the runner's directory.
func (r *Runner) Summarize(v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "summary.json"), append(text, '\n'), 0o644)
}
