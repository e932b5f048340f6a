package sim

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/snapstorm/snapstorm/sim/hook"
	"github.com/snapstorm/snapstorm/sim/internal/atomicfile"
	"github.com/snapstorm/snapstorm/sim/tape"
	"github.com/snapstorm/snapstorm/sim/twin"
)

// role is what this process is.
type role int

const (
	plain      role = iota // what the user built and started
	supervisor             // its instrumented twin
	worker                 // a process that runs worlds for the supervisor
	engine                 // a process of the engine of -fuzz, which runs worlds itself
)

var (
	mode    role
	scratch string    // directory of what workers write for their supervisor
	info    twin.Info // what the twin is a twin of
	replays *tape.Tape
)

// Exit codes of a test binary, beside 0 for no finding. 2 is what Go ends a process with that panics.
const (
	exitFinding = 1
	exitMisuse  = twin.ExitMisuse
)

// Main runs a package's tests under the scheduler. Call it from TestMain; it does not return.
//
// In the process that the user started, it builds the instrumented twin of the test binary, unless it is there already,
// and runs it in its own place, with the same arguments. The exit code is 0 when all is well, 1 when a test failed or a
// finding was made, and 64 when there was nothing to judge: unknown flags, a tape that does not fit, code that does not
// build, or a Check in none of whose worlds a point was reached.
func Main(m *testing.M) {
	if err := parseFlags(); err != nil {
		os.Exit(refuse(err))
	}
	os.Exit(run(m))
}

// parseFlags parses the command line. An unknown flag gets one line, not the whole usage.
func parseFlags() error {
	set := flag.CommandLine
	output := set.Output()
	set.Init(os.Args[0], flag.ContinueOnError)
	set.SetOutput(io.Discard)
	err := set.Parse(os.Args[1:])
	set.SetOutput(output)
	if errors.Is(err, flag.ErrHelp) {
		set.PrintDefaults()
		os.Exit(0)
	}
	if err != nil {
		return fmt.Errorf("%w; -help lists the flags", err)
	}
	return nil
}

func run(m *testing.M) int {
	err := flags.validate()
	if err == nil && flags.replay != "" {
		if flags.replay, err = twin.InModule(flags.replay); err == nil {
			replays, err = tape.Read(flags.replay)
		}
	}
	if err != nil {
		return refuse(err)
	}
	switch {
	case os.Getenv(workerVariable) != "":
		return runWorker(m)
	case inEngine():
		return runEngine(m)
	case os.Getenv(twin.Variable) != "":
		return runSupervisor(m)
	case flag.Lookup("test.list").Value.String() != "":
		return m.Run()
	case testing.CoverMode() != "":
		return refuse(fmt.Errorf("-cover: the go command does not instrument for both: measure coverage in a run of its own, without sim.Check"))
	}
	return refuse(become())
}

// refuse prints why there is nothing to judge.
func refuse(err error) int {
	fmt.Fprintln(os.Stderr, "snapstorm:", err)
	return exitMisuse
}

// become replaces this process by its instrumented twin. It returns only if that cannot be done.
func become() error {
	r, err := twin.OfThisBinary(subject())
	if err != nil {
		return err
	}
	if fuzzed() != "" {
		r.Flags = append(r.Flags, "-fuzz=.") // any value: it makes the engine see which code is run
	}
	built, err := r.Build()
	if err != nil {
		return err
	}
	return syscall.Exec(built.Path, append([]string{built.Path}, os.Args[1:]...), built.Environ(os.Environ()))
}

// subject returns the directory of the files that replace the package's own, relative to the module.
func subject() string {
	if replays != nil {
		return replays.Subject
	}
	return ""
}

// runSupervisor runs the tests of the instrumented twin.
func runSupervisor(m *testing.M) int {
	mode = supervisor
	if err := readInfo(); err != nil {
		return refuse(err)
	}
	if missing := missingPackages(); len(missing) > 0 {
		return refuse(fmt.Errorf("not instrumented although they should be: %s: the build ignored the overlay", strings.Join(missing, ", ")))
	}
	if err := prepareReplay(); err != nil {
		return refuse(err)
	}
	var err error
	if scratch, err = os.MkdirTemp("", "snapstorm-"); err != nil {
		return refuse(err)
	}
	if err := errors.Join(mark(), prepareEngine()); err != nil {
		return refuse(err)
	}
	defer cleanUp()
	code := m.Run()
	if err := verdict.close(); err != nil {
		return refuse(err)
	}
	return code
}

// readInfo reads what this process is a twin of.
func readInfo() error {
	if err := json.Unmarshal([]byte(os.Getenv(twin.Variable)), &info); err != nil {
		return fmt.Errorf("%s: %w", twin.Variable, err)
	}
	return nil
}

func missingPackages() []string {
	there := hook.Announced()
	return slices.DeleteFunc(slices.Clone(info.Packages), func(p string) bool { return slices.Contains(there, p) })
}

// prepareReplay makes sure that the tape is of this package, and that only its test runs.
func prepareReplay() error {
	if replays == nil {
		return nil
	}
	if replays.Package != info.Package {
		return fmt.Errorf("%s is a tape of package %s; this is %s", flags.replay, replays.Package, info.Package)
	}
	return flag.Set("test.run", pattern(replays.Test))
}

// pattern is a -test.run value that selects one test.
func pattern(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// judgement is what all Checks of this process showed.
type judgement struct {
	sync.Mutex
	summaries []Summary
	reached   bool     // some world reached a point
	ran       bool     // some world ran
	idle      []string // tests with a Check of which no world reached a point
	replayed  bool     // the tape was played
}

const reachedNothing = "no point was reached in any world: nothing was tested; does the scenario start a program?"

var verdict judgement

// Misuse ends the run with exit code 64, for input of a test that makes no sense, such as a manifest that cannot be read:
// then there is nothing to judge, and a failure would look like a finding. It does not return.
func Misuse(err error) {
	refuse(err)
	cleanUp()
	os.Exit(exitMisuse)
}

// cleanUp removes what only a run under way needs.
func cleanUp() {
	if marker != nil {
		unmark()
	}
	os.RemoveAll(scratch)
}

func misuse(format string, args ...any) { Misuse(fmt.Errorf(format, args...)) }

// close writes the summaries, and returns an error when the run means nothing.
func (v *judgement) close() error {
	v.Lock()
	defer v.Unlock()
	if flags.json != "" {
		if v.summaries == nil {
			v.summaries = []Summary{}
		}
		if err := writeJSON(flags.json, v.summaries); err != nil {
			return fmt.Errorf("-sim.json: %w", err)
		}
	}
	if flags.junit != "" {
		text, err := JUnit(v.summaries)
		if err = errors.Join(err, atomicfile.Write(flags.junit, text)); err != nil {
			return fmt.Errorf("-sim.junit: %w", err)
		}
	}
	switch {
	case replays != nil && !v.replayed:
		return fmt.Errorf("%s is a tape of Check %d of %s, which this package does not come to: give it back, or find a new tape", flags.replay, replays.Check+1, replays.Test)
	case len(v.idle) > 0:
		return fmt.Errorf("%s: %s", strings.Join(slices.Compact(v.idle), ", "), reachedNothing)
	case v.ran && !v.reached:
		return errors.New(reachedNothing)
	}
	return nil
}
