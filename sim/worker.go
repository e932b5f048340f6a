package sim

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/snapstorm/snapstorm/sim/explore"
	"github.com/snapstorm/snapstorm/sim/hook"
	"github.com/snapstorm/snapstorm/sim/sched"
)

// server runs worlds for a supervisor, in a process of its own.
type server struct {
	pipes
	welcome  welcome
	test     string
	options  Options
	scenario func(*World)
	races    raceLog
	known    map[string]bool // findings whose tape was sent already
	places   []bool          // those that the supervisor knows to have been reached, by index
	unfit    []int           // of the last tape that guided a world
}

// job is this process's server, if it is a worker.
var job *server

// serve is what a Check does in a worker: it answers for an earlier Check, or runs worlds until there are no more.
func (s *server) serve(t *testing.T, check int, o Options, scenario func(*World)) []Summary {
	if t.Name() != s.test || check != s.welcome.Check {
		if t.Name() == s.test && check < len(s.welcome.Earlier) {
			return s.welcome.Earlier[check]
		}
		return []Summary{{}}
	}
	debug.SetMaxStack(maxStack)
	s.options, s.scenario, s.known = o, scenario, map[string]bool{}
	sched.OnSurvivor = func(what string) {
		fmt.Fprintln(os.Stderr, staleMark+what)
		os.Exit(workerStale)
	}
	go watch(firstPositive(o.hangSeconds, hangSeconds))
	for {
		var r request
		if err := s.dec.Decode(&r); errors.Is(err, io.EOF) {
			os.Exit(0)
		} else if err != nil {
			fail("worker: %v", err)
		}
		if err := s.enc.Encode(s.answer(t, r)); err != nil {
			fail("worker: %v", err)
		}
	}
}

// answer runs the worlds of one request.
func (s *server) answer(t *testing.T, r request) outcome {
	first := s.world(t, r)
	if first.Misfit != "" {
		return first
	}
	if r.Repeat > 0 {
		plainly := r
		plainly.Trace, plainly.Timeline, plainly.Explain = "", false, false
		first.Replays = append(first.Replays, replayed{first.Hash, keys(first.Findings)})
		for len(first.Replays) < r.Repeat {
			again := s.world(t, plainly)
			first.Replays = append(first.Replays, replayed{again.Hash, keys(again.Findings)})
		}
		return first
	}
	if !r.Once && (s.fresh(first) || r.Twice) {
		first.Twice = true
		if again := s.world(t, r); again.Hash != first.Hash {
			first.Findings = append(first.Findings, s.difference(t, r))
		}
	}
	return first
}

// printedSoFar is how much the worker has printed since its supervisor looked last: both have one offset in the file.
func printedSoFar() int64 {
	n, err := os.Stdout.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return n
}

// fresh says whether the outcome has a finding that this worker has not sent before.
func (s *server) fresh(o outcome) bool {
	fresh := false
	for _, k := range keys(o.Findings) {
		fresh = fresh || !s.known[k]
		s.known[k] = true
	}
	return fresh
}

// world runs one world.
func (s *server) world(t *testing.T, r request) outcome {
	result, misfit := s.result(t, r, r.Trace != "" || r.Timeline || r.Explain)
	if r.Trace != "" {
		if err := writeTrace(r.Trace, result.Trace); err != nil {
			fail("-sim.trace: %v", err)
		}
	}
	o := outcome{
		Schedule: r.Schedule, Hash: result.Hash, Order: result.Order, Steps: result.Steps, Effects: result.Effects, Crashes: result.Crashes,
		Switches: switchesOf(result), Tasks: len(result.Names), Reached: result.Reached, Places: s.newPlaces(), Counts: result.Counts, Findings: result.Findings, Leaked: result.Abandoned,
	}
	if misfit != nil {
		o.Misfit = misfit.Error()
	}
	o.tell(result, r)
	for i := range o.Findings {
		f := &o.Findings[i]
		f.Place, f.Detail = relative(f.Place, s.welcome.ModDir), strings.ReplaceAll(f.Detail, s.welcome.ModDir+"/", "")
		for k := range f.Parties {
			f.Parties[k].Place = relative(f.Parties[k].Place, s.welcome.ModDir)
		}
	}
	o.Findings = append(o.Findings, s.races.findings(s.welcome.ModDir)...)
	o.Printed = printedSoFar()
	if !r.Guided {
		s.accuse(t, r, o.Findings)
	}
	if len(o.Findings) > 0 || r.Guided {
		o.Entries = entriesOf(result)
		o.BySeed = o.Entries == nil
	}
	if r.Guided {
		o.Unfit = s.unfit
	}
	return o
}

// tell adds what the request wants to know beyond the findings.
func (o *outcome) tell(result sched.Result, r request) {
	if r.Timeline {
		o.Timeline = timelineOf(result)
	}
	if r.Explain {
		o.Trace, o.Turns = result.Trace, turnsOf(result)
	}
	if r.Search && o.Misfit == "" {
		o.Found = explore.Branches(result, r.Path, r.Bound)
	}
}

// newPlaces lists the places that were come to for the first time in this process.
func (s *server) newPlaces() (places []int) {
	if s.places == nil {
		s.places = make([]bool, len(hook.Sites()))
	}
	for i, site := range hook.Sites() {
		if !s.places[i] && site.WasReached() {
			s.places[i] = true
			places = append(places, i)
		}
	}
	return places
}

// accuse finds out who changed what nobody may change, by another run of the world.
func (s *server) accuse(t *testing.T, r request, findings []sched.Finding) {
	for i := range findings {
		f := &findings[i]
		if f.Suspect == "" || s.known[key(f.Kind, f.Property, f.Place)] {
			continue
		}
		r.suspect = f.Suspect
		again, _ := s.result(t, r, false)
		s.races.findings(s.welcome.ModDir) // of a run that was looked at, they mean nothing
		if f.Detail = strings.ReplaceAll(again.Culprit.Text, s.welcome.ModDir+"/", ""); f.Detail == "" {
			f.Detail = "another run of the schedule did not show who did it"
		}
	}
}

// result runs one world in a bubble, under a test of its own: testing fails a test for good once a race was seen in it.
func (s *server) result(t *testing.T, r request, trace bool) (result sched.Result, misfit error) {
	chooser, rest := s.chooser(r)
	returned := false
	t.Run("world", func(t *testing.T) {
		defer func() {
			// Goroutines that cannot be unwound make synctest panic at the end of a bubble. They were counted.
			if p := recover(); p != nil && !strings.Contains(fmt.Sprint(p), "blocked goroutines remain") {
				panic(p)
			}
		}()
		synctest.Test(t, func(*testing.T) {
			o := sched.Options{Level: levels[s.welcome.Points], MaxSteps: s.options.MaxSteps, Horizon: s.options.Horizon, Lag: s.options.Lag, Trace: trace, Moves: r.Search, Without: s.options.without}
			w := &World{sched: sched.New(o, chooser), drawn: r.drawn()}
			misfit = s.play(w, r.suspect)
			result = w.sched.Result()
			returned = true
		})
	})
	if !returned {
		fail("the scenario of %s ended its goroutine (t.FailNow, require): in a scenario, panic instead", s.test)
	}
	if misfit == nil {
		misfit = rest()
	}
	return result, misfit
}

// play sets the world up and runs it. It returns why a tape does not fit.
func (s *server) play(w *World, suspect string) (misfit error) {
	defer w.sched.End()
	defer func() {
		p := recover()
		m, ok := p.(explore.Misfit)
		switch {
		case ok:
			misfit = m
		case p != nil:
			buf := make([]byte, 1<<16)
			fail("the scenario of %s panicked: %v\n\n%s", s.test, p, buf[:runtime.Stack(buf, false)])
		}
	}()
	current = w
	s.scenario(w)
	current = nil
	if suspect != "" {
		w.probe(suspect)
	}
	w.run()
	return nil
}

// fail ends a worker that cannot go on.
func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "snapstorm: "+format+"\n", args...)
	os.Exit(workerFailed)
}

// chooser returns the strategy of a request, and what checks at the end that a tape was played to its end.
func (s *server) chooser(r request) (sched.Chooser, func() error) {
	if r.Search {
		return explore.NewDirected(r.Path), func() error { return nil }
	}
	if r.Guided {
		guided := explore.NewNudged(r.Tape.Entries, r.Nudge)
		return guided, func() error { s.unfit = guided.Unfit(); return nil }
	}
	if r.Tape != nil && !r.Tape.BySeed {
		replay := explore.NewReplay(r.Tape)
		return replay, replay.Rest
	}
	strategy, seed, schedule, switches := r.Strategy, r.Seed, r.Schedule, r.Switches
	if r.Tape != nil {
		strategy, seed, schedule, switches = r.Tape.Strategy, r.Tape.Seed, r.Tape.Schedule, r.Tape.Switches
	}
	c, err := explore.New(strategy, seed, schedule, switches)
	if err != nil {
		panic(err) // the flags were validated
	}
	return c, func() error { return nil }
}

// difference runs a world twice more, with traces, and reports the first step that differs.
func (s *server) difference(t *testing.T, r request) sched.Finding {
	a, _ := s.result(t, r, true)
	b, _ := s.result(t, r, true)
	f := sched.Finding{Kind: "nondeterminism", Summary: "two runs of one schedule differ, but two more with a trace do not"}
	for i := 0; i < len(a.Trace) || i < len(b.Trace); i++ {
		x, y := eventAt(a.Trace, i), eventAt(b.Trace, i)
		if x == y {
			continue
		}
		f.Summary = fmt.Sprintf("two runs of one schedule differ from step %d on: %s, against %s", x.Step, eventText(x), eventText(y))
		f.Place = x.Site.Position()
		for k := max(0, i-5); k < i; k++ {
			f.Detail += "both: " + eventText(a.Trace[k]) + "\n"
		}
		break
	}
	return f
}

func eventAt(trace []sched.Event, i int) sched.Event {
	if i < len(trace) {
		e := trace[i]
		e.Races = 0 // the detector drops some
		return e
	}
	return sched.Event{Text: "the end"}
}

// writeTrace writes the steps of a world, one line each: when, which step, which task, what, where.
func writeTrace(path string, trace []sched.Event) error {
	var b strings.Builder
	for _, e := range trace {
		fmt.Fprintf(&b, "%12s %6d  %-28s %s  %s\n", e.At, e.Step, e.Task, e.Text, e.Site.Position())
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func eventText(e sched.Event) string {
	return strings.TrimSpace(e.Task + " " + e.Text + " " + e.Site.Position())
}

// Exit codes of a worker that cannot go on.
const (
	workerFailed = 3
	workerHung   = 4
	workerStale  = 5 // state of an earlier world is in the way
	workerAlone  = 6 // nobody is there to be told
)

// maxStack bounds a goroutine's stack: to grow to the runtime's own bound takes longer than a hang.
const maxStack = 128 << 20

const (
	hungMark  = "snapstorm: no point was reached\n\n"
	staleMark = "snapstorm: state outlives a world: "
)
