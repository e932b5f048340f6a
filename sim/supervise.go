package sim

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/snapstorm/snapstorm/sim/explore"
	"github.com/snapstorm/snapstorm/sim/internal/atomicfile"
	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// exploration is one Check, as its supervisor sees it.
type exploration struct {
	t         *testing.T
	check     int
	options   Options
	summary   Summary
	hashes    map[uint64]bool
	covering  *covering
	places    map[int]bool   // see covering
	found     map[string]int // index in summary.Findings, by key
	tapes     []*tape.Tape   // of the findings, in their order
	progress  *progress
	schedules int
	switches  int           // of the first schedule's world
	spare     chan *process // workers that wait
	alone     sync.RWMutex  // held for writing by who must be the only one that runs
	isolated  atomic.Bool   // one world a process

	regression *regression // its tape is played; nil: worlds are explored
	points     string
	strategy   string
	drawn      string   // for the scenario of Rapid
	inputs     [][]byte // of the strategy fuzz, one for each schedule
	test       string   // which tapes are of: the test's name, or that of an input of Fuzz that is always there
	unfit      []int    // which of its entries were not asked for, in the last world
	ran        bool     // some world ran
	reached    bool     // and one reached a point
}

// earlier are the summaries of the Checks of each run of a test, for workers that come after.
var earlier = struct {
	sync.Mutex
	of map[*testing.T][][]Summary
}{of: map[*testing.T][][]Summary{}}

// supervise runs one Check in worker processes.
func supervise(t *testing.T, check int, o Options) []Summary {
	t.Helper()
	x := newExploration(t, check, o)
	if replays != nil {
		x.begin(replays.Seed)
		x.replay()
	}
	if r := regressionOf(t); r != nil {
		return x.regress(r)
	}
	if x.strategy == explore.Fuzz {
		x.inputs = corpus(t.Name())
		x.schedules = len(x.inputs)
	}
	var all []Summary
	first := flags.seed
	if o.Seed != 0 {
		first = o.Seed
	}
	for i := range firstPositive(flags.seeds, o.Seeds, 1) {
		x.begin(first + uint64(i))
		switch {
		case replays != nil:
		case x.strategy == exhaustive:
			x.exhaust()
		default:
			x.explore()
		}
		all = append(all, x.summary)
	}
	x.dismiss()
	x.remember(all)
	return all
}

func newExploration(t *testing.T, check int, o Options) *exploration {
	x := &exploration{t: t, check: check, options: o, spare: make(chan *process, workers()), points: flags.points}
	x.strategy, x.test = cmp.Or(o.strategy, flags.strategy), t.Name()
	x.schedules = firstPositive(flags.schedules, o.Schedules, 100)
	return x
}

// begin starts over with a seed.
func (x *exploration) begin(seed uint64) {
	if x.places == nil {
		x.places = map[int]bool{}
	}
	x.hashes, x.covering = map[uint64]bool{}, newCovering(x.places)
	x.found, x.tapes, x.switches = map[string]int{}, nil, 0
	x.summary = Summary{
		Subject: info.Name(), Test: x.t.Name(), Race: sched.RaceEnabled, Strategy: x.strategy, Seed: seed, Findings: []Finding{}, Expected: !x.options.check,
	}
	if x.options.Subject != "" {
		x.summary.Subject = x.options.Subject
	}
}

func firstPositive(values ...int) int {
	for _, v := range values {
		if v > 0 {
			return v
		}
	}
	return 0
}

func (x *exploration) remember(all []Summary) {
	earlier.Lock()
	earlier.of[x.t] = append(earlier.of[x.t], all)
	earlier.Unlock()
	verdict.Lock()
	verdict.summaries = append(verdict.summaries, all...)
	verdict.ran, verdict.reached = verdict.ran || x.ran, verdict.reached || x.reached
	if x.options.check && x.ran && !x.reached {
		verdict.idle = append(verdict.idle, x.t.Name())
	}
	verdict.Unlock()
}

func (x *exploration) welcome() welcome {
	earlier.Lock()
	defer earlier.Unlock()
	return welcome{
		Check: x.check, Earlier: earlier.of[x.t], Points: x.points, ModDir: info.ModuleDir,
	}
}

// explore runs all schedules and then replays what was found.
func (x *exploration) explore() {
	began := time.Now()
	x.progress = newProgress(x.t.Name(), x.summary.Seed, x.schedules)
	for o := range x.outcomes {
		x.take(o)
		if x.enough() {
			break
		}
	}
	x.finish(began)
}

// enough says whether the search may end: at the first finding, or at the one that -sim.until asks for.
func (x *exploration) enough() bool {
	return (x.options.First || flags.until != "") && slices.ContainsFunc(x.summary.Findings, Finding.wanted)
}

// finish sums up what the schedules showed, and looks closer at what was found.
func (x *exploration) finish(began time.Time) {
	complete := x.summary.Complete
	x.summary.Distinct, x.summary.Coverage = len(x.hashes), x.covering.sum()
	x.summary.Complete = complete
	x.summary.Seconds = time.Since(began).Seconds()
	x.summary.rates()
	x.shrink()
	if flags.verify {
		x.verify()
	}
	x.explain()
	x.progress.end(x.summary)
}

// one runs a request on p, or on a new worker if p is nil. It returns the worker if that is still there. Where a worker dies
// of a request, that is a finding, unless the fault may be another's: then it is tried again in a new worker.
func (x *exploration) one(p *process, r request) (outcome, *process) {
	x.alone.RLock()
	o, q, died := x.attempt(p, r)
	x.alone.RUnlock()
	if died != nil {
		switch {
		case stale(*died) && !x.isolated.Load():
			x.isolate(*died)
			o, q, died = x.attempt(nil, r)
		case r.Tape == nil && (died.code == workerHung || died.code < 0): // perhaps the machine was busy, or somebody killed it
			x.alone.Lock()
			o, q, died = x.attempt(nil, r)
			x.alone.Unlock()
		}
	}
	switch {
	case died == nil:
	case died.code == workerFailed:
		o = outcome{Schedule: r.Schedule, Misfit: strings.TrimSpace(strings.TrimPrefix(died.output, "snapstorm: "))}
	default:
		o = outcome{Schedule: r.Schedule, Reached: true, Died: true, Findings: []sched.Finding{death(*died)}, Output: died.output}
	}
	if q != nil && x.isolated.Load() {
		q.close()
		q = nil
	}
	return o, q
}

// attempt runs a request on p or on a new worker.
func (x *exploration) attempt(p *process, r request) (outcome, *process, *errDied) {
	if x.isolated.Load() {
		r.Once, r.Repeat = true, min(r.Repeat, 1)
	}
	var err error
	if p == nil {
		if p, err = startProcess(x.t.Name(), scratch, x.welcome()); err != nil {
			return outcome{Schedule: r.Schedule, Misfit: err.Error()}, nil, nil
		}
	}
	o, err := p.do(r)
	var died errDied
	if errors.As(err, &died) {
		return o, nil, &died
	}
	return o, p, nil
}

// stale says whether a worker died because a world met a channel, group or timer that an earlier one left in a package
// variable.
func stale(e errDied) bool {
	return e.code == workerStale || strings.Contains(e.output, "from outside bubble") || strings.Contains(e.output, "from multiple synctest bubbles")
}

// isolate goes over to one world a process, and says why.
func (x *exploration) isolate(e errDied) {
	if x.isolated.Swap(true) {
		return
	}
	why := strings.TrimSpace(strings.TrimPrefix(e.output, staleMark))
	if e.code != workerStale {
		f := death(e)
		why = f.Summary + " at " + f.Place
	}
	fmt.Fprintf(os.Stderr, "%s: state outlives a world, so each world gets a process of its own, which is slow: %s\n", x.t.Name(), why)
}

// take adds the outcome of one schedule to the summary.
func (x *exploration) take(o outcome) {
	x.t.Helper()
	if o.Misfit != "" {
		misuse("%s", o.Misfit)
	}
	s := &x.summary
	s.Schedules++
	s.Steps += o.Steps
	s.Events += o.Effects
	s.Restarts += o.Crashes
	for _, c := range o.Counts {
		s.count(c.Name, c.N)
	}
	if o.Twice {
		s.RunTwice++
	}
	x.hashes[o.Hash], x.unfit = true, o.Unfit
	s.Hash = chained(s.Hash, hashText(o.Hash))
	x.covering.take(o, s.Strategy)
	x.ran = true
	x.reached = x.reached || o.Reached || len(o.Findings) > 0 // what shows something was no silent plain run
	for _, f := range o.Findings {
		x.find(f, o)
	}
	x.progress.step(len(s.Findings))
}

// find adds a finding, with its tape, if it is a new one.
func (x *exploration) find(f sched.Finding, o outcome) {
	n := Finding{
		Kind: f.Kind, Property: f.Property, Place: f.Place, Summary: f.Summary, Detail: f.Detail,
		Schedule: o.Schedule, Seed: x.summary.Seed, Hash: hashText(o.Hash), Drawn: x.drawn,
	}
	if i, known := x.found[n.key()]; known {
		x.summary.Findings[i].Times++
		return
	}
	n.Times = 1
	x.found[n.key()] = len(x.summary.Findings)
	t := &tape.Tape{
		Package: info.Package, Test: x.test, Check: x.check, Subject: info.Subject, Args: ownArgs(), Race: sched.RaceEnabled,
		Points: x.points, Strategy: x.strategy, Seed: x.summary.Seed, Schedule: o.Schedule,
		Switches: x.switchesFor(o.Schedule), Kind: f.Kind, Property: f.Property, Place: f.Place, Summary: f.Summary,
		Drawn: x.drawn, Hash: n.Hash, Steps: o.Steps, Entries: o.Entries, BySeed: o.Died || o.BySeed,
	}
	if t.BySeed {
		t.Strategy = x.by(o.Schedule)
	}
	if x.regression != nil {
		x.regression.amend(t)
	}
	n.Tape = x.tapePath(n)
	x.save(t, n.Tape)
	x.tapes = append(x.tapes, t)
	n.Output = x.saveOutput(n.Tape, o)
	x.summary.Findings = append(x.summary.Findings, n)
}

// switchesFor is what the strategy of a schedule was told.
func (x *exploration) switchesFor(schedule int) int {
	if schedule == 1 {
		return 0
	}
	return x.switches
}

// tapePath names the tape of a finding: equal runs give equal names.
func (x *exploration) tapePath(f Finding) string {
	name := fmt.Sprintf("%s-%s-%s-seed%d-%d.tape", fileName(x.summary.Subject), fileName(x.t.Name()), f.Kind, x.summary.Seed, len(x.summary.Findings)+1)
	return filepath.Join(outDir(), name)
}

func (x *exploration) save(t *tape.Tape, path string) {
	if err := t.Write(path); err != nil {
		misuse("-sim.out: %v", err)
	}
}

// saveOutput keeps what the world of a finding printed, in a file beside its tape, and returns the file's name. Worlds are
// taken in the order of their schedules, whichever worker ran them.
func (x *exploration) saveOutput(tape string, o outcome) string {
	if o.Output == "" {
		return ""
	}
	if testing.Verbose() && !o.Died {
		fmt.Printf("schedule %d printed:\n%s\n", o.Schedule, strings.TrimRight(o.Output, "\n"))
	}
	path := strings.TrimSuffix(tape, ".tape") + ".output"
	if err := atomicfile.Write(path, []byte(o.Output)); err != nil {
		misuse("-sim.out: %v", err)
	}
	return path
}

func outDir() string {
	if flags.out != "" {
		return flags.out
	}
	return filepath.Join(info.ModuleDir, ".snapstorm", "test")
}

func fileName(test string) string {
	clean := []rune(test)
	for i, r := range clean {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') {
			clean[i] = '-'
		}
	}
	return string(clean)
}
