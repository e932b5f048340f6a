package sim

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Options say how a Check explores. The zero value is what most tests want; flags of the test binary win.
type Options struct {
	Schedules int           // worlds to run; 0 means 100
	Horizon   time.Duration // a world is settled when nothing has had an effect for so long; 0 means 1 h. It must be longer than the program's longest time-out.
	Lag       time.Duration // how long a task that could go on may be kept waiting while time passes, at each of its steps; 0 means 10 s
	MaxSteps  int           // a world that takes more steps is a hang, and one that is idle for a quarter of them without an effect is settled; 0 means 200,000
	Twice     bool          // run every world twice and compare; else every twentieth, and those with findings
	Seed      uint64        // 0 means -sim.seed
	Seeds     int           // explore so many seeds, from Seed on, each with all schedules; 0 means 1
	First     bool          // with each seed, stop at the first schedule that has a finding
	Subject   string        // name of what is tested; "" means the package's, or that of the files that replace it

	check       bool             // findings fail the test, and their tapes are shrunk for who reads them
	without     sched.Mechanisms // for this module's own tests
	hangSeconds int
	strategy    string // "" means -sim.strategy
}

// Check runs the scenario under many schedules and fails t for every finding.
//
// The scenario is called once for each world, on a goroutine inside the world's bubble, and must set up the same world
// each time, but for what it lets [World.Choose] decide. Worlds run in processes of their own, which run the test up to
// this Check; so a test must come to its Checks in the same order each time.
func Check(t *testing.T, scenario func(*World)) {
	t.Helper()
	CheckWith(t, Options{}, scenario)
}

// CheckWith is Check with options.
func CheckWith(t *testing.T, o Options, scenario func(*World)) {
	t.Helper()
	o.check = true
	s := Explore(t, o, scenario)
	for _, f := range s.Findings {
		t.Errorf("%s", f.String())
	}
	if missed := s.missed(); flags.strict && len(missed) > 0 {
		t.Errorf("-sim.strict: in %d schedules never occurred: %s", s.Schedules, strings.Join(missed, ", "))
	}
}

// Explore is CheckWith for tests that expect findings: it returns them and does not fail t for them. The summary is over
// all seeds.
func Explore(t *testing.T, o Options, scenario func(*World)) Summary {
	t.Helper()
	return sum(ExploreSeeds(t, o, scenario))
}

// ExploreSeeds is Explore with a summary for each seed.
func ExploreSeeds(t *testing.T, o Options, scenario func(*World)) []Summary {
	t.Helper()
	wantTwin()
	n := nextCheck(t)
	if mode == worker {
		return job.serve(t, n, o, scenario)
	}
	return supervise(t, n, o)
}

// wantTwin ends a run in which nothing is instrumented.
func wantTwin() {
	if mode == plain {
		misuse("this test binary is not instrumented: its package needs func TestMain(m *testing.M) { sim.Main(m) }")
	}
}

// checks counts the Checks of each run of a test.
var checks = struct {
	sync.Mutex
	of map[*testing.T]int
}{of: map[*testing.T]int{}}

// checksOf is how many Checks a test has come to.
func checksOf(t *testing.T) int {
	checks.Lock()
	defer checks.Unlock()
	return checks.of[t]
}

func nextCheck(t *testing.T) int {
	checks.Lock()
	defer checks.Unlock()
	n := checks.of[t]
	checks.of[t]++
	return n
}
