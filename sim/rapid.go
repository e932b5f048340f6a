package sim

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/snapstorm/snapstorm/sim/explore"
)

// Rapid is Check for a scenario that varies: rapid draws a value for it, and the schedule: a short list of answers, or the next
// one of the portfolio. It stops at the first finding, and
// then rapid makes the value and the schedule smaller together, as long as the finding stays, in no more worlds than -sim.shrink
// says; the shrinking of Check finishes the schedule. The value is on the tape, so replays and regression tests need no rapid.
//
//	var crowds = rapid.Custom(func(t *rapid.T) crowd {
//		return crowd{Pods: rapid.IntRange(1, 9).Draw(t, "pods"), Slow: rapid.Bool().Draw(t, "slow")}
//	})
//
//	func TestCrowd(t *testing.T) { sim.Rapid(t, crowds, func(w *sim.World, c crowd) { … }) }
//
// All is drawn before a world starts, in another process than the world's, so a value must survive JSON: what is not exported does
// not. The flags of the test binary are -sim.seed and -sim.schedules, not -rapid.seed and -rapid.checks, and no fail files are
// read or written. While it runs, it sets the flags of rapid: no other test that uses rapid may run in parallel.
func Rapid[V any](t *testing.T, values *rapid.Generator[V], scenario func(*World, V)) {
	t.Helper()
	RapidWith(t, Options{}, values, scenario)
}

// RapidWith is Rapid with options, of which Twice, Seed, Seeds and First are of no use here.
func RapidWith[V any](t *testing.T, o Options, values *rapid.Generator[V], scenario func(*World, V)) {
	t.Helper()
	for _, f := range drawn(t, o, values, scenario) {
		t.Errorf("%s", f.String())
	}
}

// drawn is RapidWith, and returns what it finds.
func drawn[V any](t *testing.T, o Options, values *rapid.Generator[V], scenario func(*World, V)) []Finding {
	t.Helper()
	o.check = true
	if mode != supervisor || replays != nil || regressionOf(t) != nil {
		return Explore(t, o, func(w *World) { scenario(w, ofJSON[V](w.drawn)) }).Findings
	}
	d := drawing{
		draw:    func(rt *rapid.T) string { return toJSON(values.Draw(rt, "value")) },
		example: func() string { return toJSON(values.Example(0)) },
	}
	return d.supervise(t, nextCheck(t), o)
}

func toJSON[V any](v V) string {
	text, err := json.Marshal(v)
	if err == nil {
		err = survives(v, text)
	}
	if err != nil {
		misuse("sim.Rapid: %v", err)
	}
	return string(text)
}

// survives says whether a value comes out of its JSON as it was.
func survives[V any](v V, text []byte) error {
	var again V
	if err := json.Unmarshal(text, &again); err != nil {
		return err
	}
	if !reflect.DeepEqual(v, again) {
		return fmt.Errorf("a %T does not survive JSON, by which it goes to another process: %+v became %s: export its fields", v, v, text)
	}
	return nil
}

func ofJSON[V any](text string) (v V) {
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		fail("sim.Rapid: the scenario's value on the tape is not a %T: %v", v, err)
	}
	return v
}

// drawing is one call of Rapid.
type drawing struct {
	draw    func(*rapid.T) string
	example func() string

	x       *exploration
	process *process
	budget  int                // worlds that may still be run once something is found
	known   map[string]outcome // by value and schedule
	worst   *drawnCase         // the smallest case that has the finding
}

// drawnCase is one value with one schedule.
type drawnCase struct {
	value    string
	strategy string
	schedule int
	outcome  outcome
}

// id is equal for cases that are played alike.
func (c drawnCase) id() string {
	if strings.HasPrefix(c.strategy, explore.Fuzz) {
		return c.value + "\n" + c.strategy
	}
	return fmt.Sprintf("%s\n%s %d", c.value, c.strategy, c.schedule)
}

// supervise draws cases until one shows something, and returns what it shows when it is small.
func (d *drawing) supervise(t *testing.T, check int, o Options) []Finding {
	d.x = newExploration(t, check, o)
	x := d.x
	x.strategy = "rapid"
	x.begin(flags.seed)
	began := time.Now()
	x.progress = newProgress(t.Name(), flags.seed, x.schedules)
	d.known, d.budget = map[string]outcome{}, flags.shrink
	first := d.run(drawnCase{value: d.example(), strategy: playing(nil), schedule: 1}) // for how long its world is
	if x.switches = first.outcome.Switches; first.outcome.Died {
		x.switches = usualSwitches
	}
	d.check(t)
	if len(first.outcome.Findings) > 0 && d.worst == nil {
		d.worst = &first
	}
	if w := d.worst; w != nil {
		x.drawn, x.strategy = w.value, w.strategy
		w.outcome.Schedule = w.schedule
		x.take(w.outcome)
	}
	x.release(d.process)
	x.finish(began)
	x.dismiss()
	x.remember([]Summary{x.summary})
	return x.summary.Findings
}

// usingRapid is held while the flags of rapid are ours.
var usingRapid sync.Mutex

// check has rapid draw cases.
func (d *drawing) check(t *testing.T) {
	usingRapid.Lock()
	defer usingRapid.Unlock()
	checks := d.x.schedules
	if testing.Short() {
		checks *= 5 // rapid divides it
	}
	defer setArgs([]string{
		"-rapid.checks=" + strconv.Itoa(checks), "-rapid.nofailfile=true", "-rapid.failfile=", "-rapid.shrinktime=24h", // the budget ends it
		"-rapid.seed=" + strconv.FormatUint(rand.NewPCG(flags.seed, 1).Uint64()|1, 10),
	})()
	lists := explore.Detours(d.x.switches)
	n := 0
	rapid.Check(quiet{t}, func(rt *rapid.T) {
		n++
		c := drawnCase{value: d.draw(rt), schedule: n}
		if c.strategy = "portfolio"; !rapid.Bool().Draw(rt, "portfolio") {
			c.strategy = playing(explore.Bytes(lists.Draw(rt, "schedule")))
		}
		if d.worst != nil {
			c.schedule = d.worst.schedule // what the portfolio plays is its number
		}
		d.one(rt, c)
	})
}

// one judges one case. Rapid calls it again for the cases that it makes smaller, and at the end for the smallest.
func (d *drawing) one(rt *rapid.T, c drawnCase) {
	_, known := d.known[c.id()]
	if d.worst != nil && !known {
		if d.budget == 0 {
			return
		}
		d.budget--
	}
	c = d.run(c)
	if len(c.outcome.Findings) == 0 {
		if d.worst == nil {
			c.outcome.Schedule = c.schedule
			d.x.take(c.outcome)
		}
		return
	}
	if d.worst == nil || keys(c.outcome.Findings)[0] == keys(d.worst.outcome.Findings)[0] {
		d.worst = &c
	}
	rt.Fatalf("%s", keys(c.outcome.Findings)[0]) // rapid wants the same one in what it makes smaller
}

// run runs the world of a case, if it did not run yet.
func (d *drawing) run(c drawnCase) drawnCase {
	o, known := d.known[c.id()]
	if !known {
		o, d.process = d.x.one(d.process, request{Seed: flags.seed, Schedule: c.schedule, Strategy: c.strategy, Switches: d.x.switches, Drawn: c.value, Twice: c.schedule%sampleEvery == 1})
		if o.Misfit != "" {
			misuse("%s", o.Misfit)
		}
		d.known[c.id()] = o
	}
	c.outcome = o
	return c
}

// quiet is the test that rapid sees: what it finds is told by us, and its fail files are not read.
type quiet struct{ *testing.T }

// Name is one that no fail file has.
func (q quiet) Name() string { return strings.ReplaceAll(q.T.Name(), "/", "_") + "_of_sim" }

// Logf says nothing.
func (quiet) Logf(string, ...any) {}

// Log says nothing.
func (quiet) Log(...any) {}

// Errorf does not fail the test.
func (quiet) Errorf(string, ...any) {}

// Failed is false: rapid would end the test.
func (quiet) Failed() bool { return false }
