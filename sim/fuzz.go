package sim

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/snapstorm/snapstorm/sim/explore"
	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// fuzzVariable is the environment variable that tells the engine's processes where race logs go.
const fuzzVariable = "SNAPSTORM_FUZZ"

// Fuzz has the engine of go test -fuzz look for schedules of the scenario. Its inputs are short lists of answers, in bytes, and
// all other questions are answered 0; with -fuzz it keeps the inputs that come to new code, and changes them further. The
// package needs a TestMain that calls [Main].
//
//	func FuzzAccount(f *testing.F) { sim.Fuzz(f, scenario) }
//
// The seed corpus is the empty input, which is the dullest world, and the tapes in testdata/tapes that are of this test. Without
// -fuzz, Fuzz runs the corpus, and what the engine has written to testdata/fuzz, as a regression test: in worker processes, as
// [Check] does. With -fuzz, worlds run in the engine's processes, so that it sees which code they come to. A finding fails the
// input: its tape is written, the engine makes the input smaller and keeps it. What ends or hangs a process is the engine's finding,
// and has no tape until go test runs what the engine has kept. A program whose package variables keep channels or the like from
// one world to the next cannot be run with -fuzz.
func Fuzz(f *testing.F, scenario func(*World)) {
	f.Helper()
	wantTwin()
	for _, input := range corpus(f.Name()) {
		f.Add(input)
	}
	z := newFuzzing(f, scenario)
	defer z.close()
	f.Fuzz(func(t *testing.T, input []byte) {
		t.Helper()
		z.run(t, "", input)
	})
}

// tapes are those that lie in testdata/tapes of the package.
func tapes() (all []*tape.Tape) {
	files, err := filepath.Glob(filepath.Join("testdata", "tapes", "*.tape"))
	if err != nil {
		panic(err) // the pattern is a correct one
	}
	for _, file := range files {
		t, err := tape.Read(file)
		if err != nil {
			misuse("%v", err)
		}
		all = append(all, t)
	}
	return all
}

// corpus is the empty input, and what the tapes of a test say.
func corpus(test string) [][]byte {
	inputs := [][]byte{{}}
	for _, t := range tapes() {
		if rootOf(t.Test) == rootOf(test) && len(t.Entries) > 0 {
			inputs = append(inputs, explore.Bytes(explore.OfTape(t.Entries)))
		}
	}
	return inputs
}

// rootOf is the name of the function that a test or one of its subtests is.
func rootOf(test string) string {
	root, _, _ := strings.Cut(test, "/")
	return root
}

// fuzzing is one call of Fuzz.
type fuzzing struct {
	name     string
	scenario func(*World)
	options  Options
	spare    chan *process // a worker that the next input may use
	inside   sync.Once
	server   *server // of the engine's process
}

func newFuzzing(f *testing.F, scenario func(*World)) *fuzzing {
	return &fuzzing{name: f.Name(), scenario: scenario, spare: make(chan *process, 1)}
}

// run runs the world of one input, for which the scenario was drawn like this, if it is.
func (z *fuzzing) run(t *testing.T, drawn string, input []byte) {
	t.Helper()
	switch {
	case mode == worker:
		job.serve(t, nextCheck(t), z.options, z.scenario)
	case mode == supervisor:
		z.supervise(t, drawn, input)
	default:
		z.inside.Do(z.serveHere)
		z.world(t, drawn, input)
	}
}

func (z *fuzzing) close() {
	select {
	case p := <-z.spare:
		p.close()
	default:
	}
}

func (z *fuzzing) exploration(t *testing.T, drawn string, input []byte) *exploration {
	o := z.options
	o.check = true
	return &exploration{
		t: t, test: z.name + "/seed#0", options: o, points: flags.points, strategy: explore.Fuzz, inputs: [][]byte{input},
		drawn: drawn,
	}
}

// by is the strategy of a schedule. An input is part of its name.
func (x *exploration) by(schedule int) string {
	if x.inputs == nil {
		return x.strategy
	}
	return playing(x.inputs[schedule-1])
}

// playing names, as a strategy, an input.
func playing(input []byte) string { return explore.Fuzz + ":" + hex.EncodeToString(input) }

// supervise runs the world of one input in a worker.
func (z *fuzzing) supervise(t *testing.T, drawn string, input []byte) {
	t.Helper()
	x := z.exploration(t, drawn, input)
	x.check, x.spare, x.schedules = nextCheck(t), z.spare, 1
	x.begin(flags.seed)
	if replays != nil {
		x.replay()
		return
	}
	x.explore()
	x.remember([]Summary{x.summary})
	for _, f := range x.summary.Findings {
		t.Errorf("%s", f.String())
	}
}

// serveHere lets this process, which is the engine's, run worlds.
func (z *fuzzing) serveHere() {
	debug.SetMaxStack(maxStack)
	z.server = &server{options: z.options, scenario: z.scenario, test: z.name, welcome: welcome{Points: flags.points, ModDir: info.ModuleDir}, known: map[string]bool{}}
	if sched.RaceEnabled {
		z.server.races.path = racePath(os.Getenv(fuzzVariable), os.Getpid())
	}
	sched.OnSurvivor = func(what string) { panic(staleMark + what) }
	go watch(hangSeconds)
}

// world runs the world of one input in this process.
func (z *fuzzing) world(t *testing.T, drawn string, input []byte) {
	t.Helper()
	o := z.server.world(t, request{Strategy: playing(input), Schedule: 1, Drawn: drawn})
	x := z.exploration(t, drawn, input)
	x.begin(flags.seed)
	for _, f := range o.Findings {
		if _, what, stale := strings.Cut(f.Summary, staleMark); stale {
			t.Fatalf("%s%s; with -fuzz all worlds share a process: let each world make its own", staleMark, what)
		}
		x.find(f, o)
	}
	for _, f := range x.summary.Findings {
		t.Errorf("%s", f.String())
	}
}

// fuzzed is the value of -test.fuzz: what the engine is to fuzz.
func fuzzed() string { return flag.Lookup("test.fuzz").Value.String() }

// inEngine says whether the engine has started this process to run inputs.
func inEngine() bool {
	return os.Getenv(fuzzVariable) != "" && flag.Lookup("test.fuzzworker").Value.String() == "true"
}

// runEngine runs inputs for the engine.
func runEngine(m *testing.M) int {
	mode = engine
	if err := readInfo(); err != nil {
		return refuse(err)
	}
	return m.Run()
}

// prepareEngine sets what the processes that the engine will start need to know.
func prepareEngine() error {
	if fuzzed() == "" {
		return nil
	}
	if err := os.Setenv(fuzzVariable, scratch); err != nil {
		return err
	}
	if err := os.Setenv("GORACE", goRace(scratch)); err != nil {
		return fmt.Errorf("GORACE: %w", err)
	}
	return nil
}
