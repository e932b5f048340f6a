package sim

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// How often a tape is replayed. The race detector drops some of what it sees, so one world may report a race or not.
const (
	replaysOfRace  = 20
	replaysOfOther = 10
)

// verify replays the tapes of the findings and notes how often each was shown again. Findings of one schedule have one
// tape's worth of answers, so they are replayed together.
func (x *exploration) verify() {
	p := x.spareProcess()
	for i, t := range x.tapes {
		if f := x.summary.Findings[i]; f.Replays > 0 || f.Kind == "nondeterminism" || !f.wanted() {
			continue
		}
		var o outcome
		o, p = x.playOn(p, t, x.repeats(t.Schedule), "")
		for k, other := range x.tapes {
			if other == t || other.Schedule == t.Schedule && other.Shrunk == "" && t.Shrunk == "" {
				x.verified(k, o)
			}
		}
	}
	x.release(p)
}

// playOn replays a tape n times on p or on a new worker; where state outlives a world, each time on a new one.
func (x *exploration) playOn(p *process, t *tape.Tape, n int, trace string) (outcome, *process) {
	r := request{Seed: t.Seed, Schedule: t.Schedule, Tape: t, Repeat: n, Trace: trace}
	o, p := x.one(p, r)
	for x.isolated.Load() && o.Misfit == "" && !o.Died && len(o.Replays) < n {
		r.Trace = ""
		again, _ := x.one(nil, r)
		if len(again.Replays) == 0 {
			break
		}
		o.Replays = append(o.Replays, again.Replays...)
	}
	return o, p
}

// repeats is how often the world of a schedule is replayed.
func (x *exploration) repeats(schedule int) int {
	n := replaysOfOther
	for _, t := range x.tapes {
		if t.Schedule == schedule && t.Kind == "data-race" {
			n = replaysOfRace
		}
	}
	return n
}

// verified notes what the replays of a finding's world showed.
func (x *exploration) verified(i int, o outcome) {
	f, t := &x.summary.Findings[i], x.tapes[i]
	f.Shown, f.Equal, f.Replays = count(t, o)
	t.Reported = fmt.Sprintf("%d of %d", f.Shown, f.Replays)
	x.save(t, f.Tape)
}

// lineNumber is what an edit elsewhere in a file changes of a place.
var lineNumber = regexp.MustCompile(`:\d+`)

// unnumbered is a key, or a place, without numbers of lines.
func unnumbered(s string) string { return lineNumber.ReplaceAllString(s, "") }

// meant picks the finding that a tape is of. A file may have been edited since: then a finding of that kind in the same file
// is the one.
func meant(t *tape.Tape, findings []sched.Finding) *sched.Finding {
	var near *sched.Finding
	for i, f := range findings {
		switch {
		case f.Kind != t.Kind || f.Property != t.Property:
		case f.Place == t.Place:
			return &findings[i]
		case near == nil && unnumbered(f.Place) == unnumbered(t.Place):
			near = &findings[i]
		}
	}
	return near
}

// misfitOf says in which file a tape does not fit, and at which line if it is known.
func misfitOf(file, misfit string) string {
	if at, ok := strings.CutPrefix(misfit, "line "); ok {
		return file + ":" + at
	}
	return file + ": " + misfit
}

// count says how many replays showed the finding, and how many had the tape's hash. A replay that ended its process has
// no hash.
func count(t *tape.Tape, o outcome) (shown, equal, total int) {
	for _, r := range o.Replays {
		if slices.Contains(r.Shown, key(t.Kind, t.Property, t.Place)) {
			shown++
		}
		if hashText(r.Hash) == t.Hash {
			equal++
		}
	}
	if len(o.Replays) == 0 {
		return len(o.Findings), 1, 1
	}
	return shown, equal, len(o.Replays)
}

// countAnywhere is count for code that was edited since: the lines of the finding may have other numbers now.
func countAnywhere(t *tape.Tape, o outcome) (shown, equal, total int) {
	shown, equal, total = count(t, o)
	if shown > 0 {
		return shown, equal, total
	}
	want := unnumbered(key(t.Kind, t.Property, t.Place))
	for _, r := range o.Replays {
		if slices.ContainsFunc(r.Shown, func(k string) bool { return unnumbered(k) == want }) {
			shown++
		}
	}
	return shown, equal, total
}

// replay plays the tape that the user gave, if it is of this Check.
func (x *exploration) replay() {
	t := replays
	if t.Test != x.t.Name() || t.Check != x.check {
		return
	}
	x.points = t.Points
	if flags.rewrite {
		x.rewrite(t)
	}
	n := replaysOfOther
	if t.Kind == "data-race" {
		n = replaysOfRace
	}
	o, p := x.playOn(nil, t, n, flags.trace)
	if o.Misfit != "" {
		misuse("%s", misfitOf(flags.replay, o.Misfit))
	}
	why, p := x.explainOne(p, t)
	if p != nil {
		p.close()
	}
	x.showTimeline(t)
	fmt.Print(o.Output)
	shown, equal, total := countAnywhere(t, o)
	x.ran, x.reached = true, o.Reached || shown > 0
	x.summary.Schedules, x.summary.Steps, x.summary.Events, x.summary.Restarts = total, o.Steps, o.Effects, o.Crashes
	fmt.Printf("%s: %s shown again by %d of %d replays, hash equal in %d of %d\n", filepath.Base(flags.replay), t.Kind, shown, total, equal, total)
	if shown > 0 {
		f := x.replayedFinding(t, o)
		f.Shown, f.Equal, f.Replays, f.Explanation, f.Shrunk = shown, equal, total, why, t.Shrunk
		x.summary.Findings = append(x.summary.Findings, f)
		fmt.Println(f.String())
	}
	x.remember([]Summary{x.summary})
	code := verdict.ofReplay(shown > 0)
	cleanUp()
	os.Exit(code)
}

// ofReplay is the exit code of a replay. The test does not go on: it may expect more than one tape can show.
func (v *judgement) ofReplay(shown bool) int {
	v.replayed = true
	if err := v.close(); err != nil {
		return refuse(err)
	}
	if shown {
		return exitFinding
	}
	return 0
}

func (x *exploration) replayedFinding(t *tape.Tape, o outcome) Finding {
	f := Finding{
		Kind: t.Kind, Property: t.Property, Summary: t.Summary, Schedule: t.Schedule, Seed: t.Seed,
		Place: t.Place, Tape: flags.replay, Hash: t.Hash, Drawn: t.Drawn,
	}
	if g := meant(t, o.Findings); g != nil {
		f.Summary, f.Place, f.Detail = g.Summary, g.Place, g.Detail
	}
	return f
}
