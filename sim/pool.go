package sim

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/snapstorm/snapstorm/sim/sched"
)

func quoteMeta(s string) string { return regexp.QuoteMeta(s) }

const workerVariable = "SNAPSTORM_WORKER" // "directory for race logs, then the test's name"

// runWorker runs the test up to the Check that it is to serve.
func runWorker(m *testing.M) int {
	mode = worker
	scratch, test, _ := strings.Cut(os.Getenv(workerVariable), "\n")
	job = &server{pipes: newPipes(os.NewFile(3, "requests"), os.NewFile(4, "outcomes")), test: test}
	if sched.RaceEnabled {
		job.races.path = racePath(scratch, os.Getpid())
	}
	if err := job.dec.Decode(&job.welcome); err != nil {
		fail("worker: %v", err)
	}
	m.Run()
	fail("%s did not come to its Check %d again: a test must come to its Checks in the same order each time", test, job.welcome.Check+1)
	return workerFailed
}

// process is a worker process, as its supervisor sees it.
type process struct {
	pipes
	cmd    *exec.Cmd
	output tail
	files  [2]*os.File
}

// errDied says that a worker ended although nobody told it to.
type errDied struct {
	code   int
	output string
}

// Error implements error.
func (e errDied) Error() string { return fmt.Sprintf("a worker died with exit code %d", e.code) }

// startProcess starts a worker for a test.
func startProcess(test, scratch string, w welcome) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	requests, toWorker, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromWorker, outcomes, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &process{pipes: newPipes(fromWorker, toWorker), files: [2]*os.File{toWorker, fromWorker}}
	p.cmd = exec.Command(self, workerArgs(test)...)
	p.cmd.Env = append(os.Environ(), workerVariable+"="+scratch+"\n"+test, "GORACE="+goRace(scratch))
	p.cmd.ExtraFiles = []*os.File{requests, outcomes}
	p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
	err = p.cmd.Start()
	requests.Close()
	outcomes.Close()
	if err != nil {
		return nil, err
	}
	return p, p.enc.Encode(w)
}

// goRace makes the detector report every race of every world, into a file, and go on.
func goRace(scratch string) string {
	return strings.TrimSpace(os.Getenv("GORACE") + " suppress_equal_stacks=0 suppress_equal_addresses=0 halt_on_error=0 atexit_sleep_ms=0 log_path=" + filepath.Join(scratch, "race"))
}

// workerArgs are the flags of this process, but for those of package testing.
func workerArgs(test string) []string {
	args := []string{"-test.run=" + pattern(test), "-test.timeout=0"}
	flag.Visit(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	return append(args, flag.Args()...)
}

// ownArgs are the flags that the test itself defines and the user set.
func ownArgs() []string {
	var args []string
	flag.Visit(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") && !strings.HasPrefix(f.Name, "sim.") {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	return args
}

// do has the worker run one request. The error is an errDied if it died of it.
func (p *process) do(r request) (outcome, error) {
	var o outcome
	if err := errors.Join(p.enc.Encode(r), p.dec.Decode(&o)); err == nil {
		return o, nil
	}
	p.close()
	return o, errDied{p.cmd.ProcessState.ExitCode(), p.output.String()}
}

// close tells the worker that there are no more worlds, and waits for it.
func (p *process) close() {
	p.files[0].Close()
	p.cmd.Wait()
	p.files[1].Close()
}

// tail keeps the beginning and the last part of what a worker prints: the beginning of a dump names the fault.
type tail struct {
	head, last bytes.Buffer
}

const tailBytes = 64 << 10

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	if t.head.Len() < tailBytes {
		t.head.Write(p)
		return len(p), nil
	}
	t.last.Write(p)
	if t.last.Len() > 2*tailBytes {
		t.last.Next(t.last.Len() - tailBytes)
	}
	return len(p), nil
}

func (t *tail) String() string { return t.head.String() + t.last.String() }

// death turns the end of a worker into a finding of the world that it ran.
func death(e errDied) sched.Finding {
	lines := strings.Split(e.output, "\n")
	for i, line := range lines {
		for _, start := range []string{"fatal error: ", "panic: ", "runtime: goroutine stack exceeds"} {
			if strings.HasPrefix(line, start) {
				kind := "panic"
				if e.code == workerHung {
					kind = "hang"
				}
				return sched.Finding{Kind: kind, Summary: line + " (this ended the process)", Detail: strings.Join(lines[i:min(len(lines), i+40)], "\n")}
			}
		}
	}
	return sched.Finding{Kind: "panic", Summary: "the process ended with exit code " + strconv.Itoa(e.code), Detail: e.output}
}
