package sim

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/twin"
)

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
	output *os.File // what it prints
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
	if err == nil {
		err = twin.Use(self)
	}
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
	output, err := os.CreateTemp(scratch, "output-")
	if err != nil {
		return nil, err
	}
	p := &process{pipes: newPipes(fromWorker, toWorker), files: [2]*os.File{toWorker, fromWorker}, output: output}
	p.cmd = exec.Command(self, workerArgs(test)...)
	p.cmd.Env = append(os.Environ(), workerVariable+"="+scratch+"\n"+test, "GORACE="+goRace(scratch))
	p.cmd.ExtraFiles = []*os.File{requests, outcomes}
	p.cmd.Stdout, p.cmd.Stderr = output, output
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
		o.Output = p.printed(o.Printed)
		return o, nil
	}
	p.files[0].Close()
	p.cmd.Wait()
	died := errDied{p.cmd.ProcessState.ExitCode(), p.printed(math.MaxInt64)}
	p.close()
	return o, died
}

// close tells the worker that there are no more worlds, and waits for it.
func (p *process) close() {
	p.files[0].Close()
	p.cmd.Wait()
	p.files[1].Close()
	p.output.Close()
	os.Remove(p.output.Name())
}

// maxPrinted bounds what is kept of what one world prints: the beginning and the end, since a dump begins with the fault.
const maxPrinted = 64 << 10

// printed returns what the worker printed since the last call, up to a number of bytes. It writes to the same file, from the
// same offset on.
func (p *process) printed(most int64) string {
	size, err := p.output.Seek(0, io.SeekCurrent)
	if err != nil || size == 0 {
		return ""
	}
	size = min(size, most)
	text := make([]byte, min(size, maxPrinted))
	half := len(text) / 2
	if size <= maxPrinted {
		half = len(text)
	}
	p.output.ReadAt(text[:half], 0)
	p.output.ReadAt(text[half:], size-int64(len(text)-half))
	p.output.Truncate(0)
	p.output.Seek(0, io.SeekStart)
	return string(text)
}

// death turns the end of a worker into a finding of the world that it ran.
func death(e errDied) sched.Finding {
	if e.code == workerHung {
		return hang(e)
	}
	lines := strings.Split(e.output, "\n")
	for i, line := range lines {
		for _, start := range []string{"fatal error: ", "panic: ", "runtime: goroutine stack exceeds"} {
			if strings.HasPrefix(line, start) {
				dump := strings.Join(lines[i:], "\n")
				place, frames := dumpFrames(dump)
				return sched.Finding{Kind: "panic", Place: place, Summary: strings.TrimPrefix(line, "runtime: ") + " (this ended the process)", Detail: frames}
			}
		}
	}
	return sched.Finding{Kind: "panic", Summary: "the process ended with exit code " + strconv.Itoa(e.code), Detail: e.output}
}

// hang is the finding of a world in which a task took no step for too long.
func hang(e errDied) sched.Finding {
	f := sched.Finding{Kind: "hang", Summary: fmt.Sprintf("no point was reached for %d s, and again when alone", hangSeconds)}
	_, stacks, _ := strings.Cut(e.output, hungMark)
	for _, goroutine := range strings.Split(stacks, "\n\n") {
		head, _, _ := strings.Cut(goroutine, "\n")
		// Who is in its bubble and does not wait for the scheduler is who keeps it.
		if inBubble(head, goroutine) && !strings.Contains(head, "durable") {
			if place, frames := dumpFrames(goroutine); place != "" {
				f.Place, f.Detail = place, f.Detail+strings.TrimSuffix(head, ":")+"\n"+frames+"\n"
			}
		}
	}
	if strings.Contains(e.output, "sync.Mutex") || strings.Contains(e.output, "sync.RWMutex") {
		f.Detail += "a task waits for a lock of a library while another one, parked by the scheduler, holds it: a callback under a library's lock must not come to a point\n"
	}
	return f
}

// inBubble says whether a goroutine of a dump belongs to a world. One that is at work for the garbage collector is not marked.
func inBubble(head, goroutine string) bool {
	return strings.Contains(head, "synctest bubble") || strings.Contains(goroutine, "sched.(*Task).run")
}

// dumpFrames picks the program's own frames from the first goroutine of a dump.
func dumpFrames(dump string) (place, frames string) {
	lines := strings.Split(dump, "\n")
	var kept []string
	for i := 0; i+1 < len(lines) && len(kept) < 2*maxFrames; i++ {
		at, isPlace := strings.CutPrefix(lines[i+1], "\t")
		if !isPlace || foreign(lines[i]) || strings.HasPrefix(lines[i], "created by ") || strings.HasPrefix(lines[i], "testing.") {
			continue
		}
		at, _, _ = strings.Cut(at, " +0x")
		at = relative(at, info.ModuleDir)
		if place == "" {
			place = at
		}
		kept = append(kept, lines[i], "    "+at)
	}
	return place, strings.Join(kept, "\n")
}
