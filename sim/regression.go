package sim

import (
	"flag"
	"fmt"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// regression is a tape that a test is to play instead of exploring.
type regression struct {
	test   string // that called Regression
	file   string
	tape   *tape.Tape
	base   int  // how many Checks the test had come to before
	played bool // its Check was come to
}

// regressions are those under way, by the name of the test that calls Regression.
var regressions = struct {
	sync.Mutex
	of map[string]*regression
}{of: map[string]*regression{}}

// Regression calls test with t, and has the [Check] in it that the tape is of play the tape once instead of exploring. So t
// fails as long as the tape still shows something, whatever that is; go tool snapstorm regress writes such a test for a tape.
//
// The file is relative to the package's directory. The code may have changed since: what fits of the tape is played, and all
// else is answered with 0. With -test.v a line says what does not fit, and with -sim.strict it fails t. If nothing fits, t fails
// too, for then nothing was tested; unless the tape is of another subject, whose flaw this code may not even come near. Other
// Checks of the test do nothing. A test that judges itself what [Explore] returns does not come to that as long as the tape
// shows something.
func Regression(t *testing.T, file string, test func(*testing.T)) {
	t.Helper()
	if mode != supervisor {
		test(t)
		return
	}
	r := &regression{test: t.Name(), file: file, base: checksOf(t)}
	var err error
	if r.tape, err = tape.Read(file); err != nil {
		misuse("%v", err)
	}
	defer setArgs(r.tape.Args)()
	regressions.Lock()
	regressions.of[r.test] = r
	regressions.Unlock()
	defer func() {
		regressions.Lock()
		defer regressions.Unlock()
		delete(regressions.of, r.test)
	}()
	test(t)
	if !r.played && !t.Failed() {
		t.Errorf("%s is a tape of Check %d of %s, and the test that was given does not come to it", file, r.tape.Check+1, r.tape.Test)
	}
}

// setArgs sets the flags of the test itself that a tape was made with, for workers too, and returns what sets them back.
func setArgs(args []string) func() {
	var undo []func()
	for _, a := range args {
		name, value, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		f := flag.Lookup(name)
		if f == nil {
			misuse("the tape wants the flag -%s, which this test does not have any more", name)
		}
		old := f.Value.String()
		if err := flag.Set(name, value); err != nil {
			misuse("the tape wants %s: %v", a, err)
		}
		undo = append(undo, func() { _ = flag.Set(name, old) })
	}
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

// regressionOf returns the regression that a Check is part of, or nil: the test or one of those around it called Regression.
func regressionOf(t *testing.T) *regression {
	regressions.Lock()
	defer regressions.Unlock()
	for name := t.Name(); ; name = path.Dir(name) {
		if r := regressions.of[name]; r != nil || name == rootOf(name) {
			return r
		}
	}
}

// isOf says whether the tape is of this Check.
func (r *regression) isOf(t *testing.T, check int) bool {
	_, wanted, _ := strings.Cut(r.tape.Test, "/")
	sub := strings.TrimPrefix(strings.TrimPrefix(t.Name(), r.test), "/")
	if sub == "" {
		check -= r.base
	}
	return sub == wanted && check == r.tape.Check
}

// regress plays the tape in place of an exploration. A race is looked for in more worlds, since the detector does not see all.
func (x *exploration) regress(r *regression) []Summary {
	x.t.Helper()
	if !r.isOf(x.t, x.check) {
		return []Summary{{}}
	}
	r.played, x.regression, x.points, x.drawn, x.options.First = true, r, r.tape.Points, r.tape.Drawn, true
	x.schedules = 1
	if r.tape.Kind == "data-race" && sched.RaceEnabled {
		x.schedules = replaysOfRace / 2 // each world is run twice
	}
	x.begin(r.tape.Seed)
	x.explore()
	x.summary.Expected = false
	x.summary.Occurred = nil // one schedule says nothing about what never occurs
	x.dismiss()
	r.judge(x)
	all := []Summary{x.summary}
	x.remember(all)
	if !x.options.check {
		x.failFor(all[0].Findings)
	}
	return all
}

// failFor ends a test that would judge itself what was found, and perhaps wants it.
func (x *exploration) failFor(findings []Finding) {
	x.t.Helper()
	for _, f := range findings {
		x.t.Errorf("%s", f.String())
	}
	if len(findings) > 0 {
		x.t.FailNow()
	}
	x.t.Logf("%s shows nothing any more; a test that fails because it wants a finding should call sim.Check now", x.regression.file)
}

// request asks for one world of the tape.
func (r *regression) request(schedule int) request {
	return request{Seed: r.tape.Seed, Schedule: schedule, Tape: r.tape, Guided: !r.tape.BySeed, Twice: true}
}

// judge says what of the tape was not played, where no finding says more.
func (r *regression) judge(x *exploration) {
	x.t.Helper()
	if len(x.summary.Findings) > 0 {
		return
	}
	if r.tape.Kind == "data-race" && !sched.RaceEnabled {
		x.t.Logf("%s is of a data race, which shows with -race only; everything else was judged", r.file)
	}
	if len(x.unfit) == 0 {
		return
	}
	i := x.unfit[0]
	e, n := r.tape.Entries[i], len(r.tape.Entries)
	text := fmt.Sprintf("%s:%d: %d of the %d answers of the tape do not fit this code any more, first this one: %s",
		r.file, r.tape.LineOf(i), len(x.unfit), n, e.Told())
	switch {
	case r.tape.Subject != info.Subject:
		x.t.Log(text)
	case len(x.unfit) == n:
		x.t.Errorf("%s\nnothing was tested; find a new tape of the flaw, or remove this test with its tape", text)
	case flags.strict:
		x.t.Errorf("-sim.strict: %s", text)
	default:
		x.t.Log(text)
	}
}

// amend lets the tape of a finding be replayed: the choices of a world that ended its process are not known, but what it was
// played by is.
func (r *regression) amend(t *tape.Tape) {
	if t.Strategy = r.tape.Strategy; t.BySeed {
		t.BySeed, t.Seed, t.Schedule, t.Switches, t.Entries = r.tape.BySeed, r.tape.Seed, r.tape.Schedule, r.tape.Switches, r.tape.Entries
	}
}
