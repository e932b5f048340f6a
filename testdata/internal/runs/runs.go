package runs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/snapstorm/snapstorm/sim"
)

// Of the monitor's tests, as regular expressions: those that run worlds, and all but its unit tests. A test of the mutants is
// neither.
const (
	Worlds   = "^(" + worlds + ")$"
	NotUnits = "^(TestMutantsFit|" + worlds + ")$"

	worlds = "TestSmall|TestSeveral|TestFresh|TestStorm|TestStops|TestPair|TestPairCrashes|TestScenario|TestRegressions|FuzzStorm"
)

// Runner runs tests, and keeps what they write in one directory.
type Runner struct {
	out     string
	environ []string
}

// New returns a Runner for a directory, which it empties. It builds the command snapstorm once.
func New(out string) (*Runner, error) {
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return nil, err
	}
	r := &Runner{out: out}
	if output, err := exec.Command("go", "build", "-o", r.command(), "./sim/cmd/snapstorm").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build ./sim/cmd/snapstorm: %w: run it in the module's root\n%s", err, output)
	}
	return r, nil
}

func (r *Runner) command() string { return filepath.Join(r.out, "snapstorm") }

// Run is one run of tests under the scheduler.
type Run struct {
	Name    string // of the directory of its tapes, below the runner's; "" is tapes
	Subject string // a directory of files that replace the package's own; "" is none
	Race    bool
	Package string
	Test    string   // regular expression, as -test.run takes it
	Flags   []string // of the test binary
}

// Run runs the tests and returns what each Check found out. That they found something, or that a test failed for what they
// found or not, is no error; that there was no Check is one. Several runs may go on at once.
func (r *Runner) Run(run Run) ([]sim.Summary, error) {
	all, failed, err := r.Test(run)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s of %s came to no Check: nothing was tested\n%s", run.Test, cmp.Or(run.Subject, run.Package), failed)
	}
	return all, err
}

// Test is Run for tests of which each must pass: it returns what they printed if one failed, for what a Check found or for what
// it saw itself, and else "".
func (r *Runner) Test(run Run) (all []sim.Summary, failed string, err error) {
	dir, err := os.MkdirTemp(r.out, ".run-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "summary.json")
	args := []string{"test"}
	if run.Subject != "" {
		args = append(args, "-subject", run.Subject)
	}
	if run.Race {
		args = append(args, "-race")
	}
	args = append(args, run.Package, "--", "-test.run="+run.Test, "-test.timeout=0", "-sim.out="+filepath.Join(r.out, cmp.Or(run.Name, "tapes")), "-sim.json="+file)
	output, red, err := r.Command(append(args, run.Flags...)...)
	if err != nil {
		return nil, "", err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, "", fmt.Errorf("snapstorm %s: %w\n%s", strings.Join(args, " "), err, output)
	}
	if red {
		failed = output
	}
	return all, failed, json.Unmarshal(text, &all)
}

// Command runs the command snapstorm, and returns what it printed, and whether it said by its exit code that something was found.
func (r *Runner) Command(args ...string) (output string, found bool, err error) {
	cmd := exec.Command(r.command(), args...)
	cmd.Env = append(os.Environ(), r.environ...)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return string(text), true, nil
	}
	if err != nil {
		err = fmt.Errorf("snapstorm %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return string(text), false, err
}

// With is a runner for the same directory with further variables in the environment.
func (r *Runner) With(variables ...string) *Runner {
	return &Runner{r.out, slices.Concat(r.environ, variables)}
}

// Path is a file in the runner's directory.
func (r *Runner) Path(name string) string { return filepath.Join(r.out, name) }

// Summarize writes v to summary.json in the runner's directory.
func (r *Runner) Summarize(v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "summary.json"), append(text, '\n'), 0o644)
}
