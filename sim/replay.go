package sim

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/snapstorm/snapstorm/sim/tape"
)

// How often a tape is replayed. The race detector drops some of what it sees, so one world may report a race or not.
const (
	replaysOfRace  = 20
	replaysOfOther = 10
)

// verify replays the tape of each finding and notes how often it was shown again.
func (x *exploration) verify() {
	p := x.spareProcess()
	for i, t := range x.tapes {
		f := &x.summary.Findings[i]
		if f.Kind == "nondeterminism" {
			f.Replayed = "no"
			continue
		}
		o, q := x.one(p, replayOf(t))
		p = q
		shown, equal := count(t, o)
		if o.Replays == nil { // it ended the process again
			shown, equal = len(o.Findings), len(o.Findings)
		}
		total := max(1, len(o.Replays))
		f.Replayed = fmt.Sprintf("%d of %d", shown, total)
		t.Reported = f.Replayed
		x.save(t, f.Tape)
		if equal < total {
			x.summary.Findings[i].Detail += fmt.Sprintf("only %d of %d replays had an equal hash: something here is not deterministic\n", equal, total)
		}
	}
	x.release(p)
}

func replayOf(t *tape.Tape) request {
	n := replaysOfOther
	if t.Kind == "data-race" {
		n = replaysOfRace
	}
	return request{Schedule: t.Schedule, Tape: t, Repeat: n}
}

// count says how many replays showed the finding, and how many had the tape's hash.
func count(t *tape.Tape, o outcome) (shown, equal int) {
	for _, r := range o.Replays {
		if r.Shown {
			shown++
		}
		if hashText(r.Hash) == t.Hash {
			equal++
		}
	}
	return shown, equal
}

// replay plays the tape that the user gave, if it is of this Check.
func (x *exploration) replay() {
	t := replays
	if t.Test != x.t.Name() || t.Check != x.check {
		return
	}
	verdict.Lock()
	verdict.replayed = true
	verdict.Unlock()
	flags.points = t.Points
	r := replayOf(t)
	r.Trace = flags.trace
	o, p := x.one(nil, r)
	if p != nil {
		p.close()
	}
	if o.Misfit != "" {
		misuse(x.t, "%s: %s", flags.replay, o.Misfit)
	}
	shown, equal := count(t, o)
	total := len(o.Replays)
	if total == 0 {
		shown, equal, total = len(o.Findings), 1, 1
	}
	x.summary.Schedules, x.summary.Steps, x.summary.Events, x.summary.Restarts = total, o.Steps, o.Effects, o.Crashes
	fmt.Printf("%s: %s shown again by %d of %d replays, hash equal in %d of %d\n", filepath.Base(flags.replay), t.Kind, shown, total, equal, total)
	if shown > 0 {
		f := x.replayedFinding(t, o, fmt.Sprintf("%d of %d", shown, total))
		x.summary.Findings = append(x.summary.Findings, f)
		fmt.Println(f.text())
	}
	x.remember()
	os.Exit(verdict.ofReplay(shown > 0))
}

// ofReplay is the exit code of a replay. The test does not go on: it may expect more than one tape can show.
func (v *judgement) ofReplay(shown bool) int {
	if err := v.close(); err != nil {
		return refuse(err)
	}
	if shown {
		return exitFinding
	}
	return 0
}

func (x *exploration) replayedFinding(t *tape.Tape, o outcome, replayed string) Finding {
	f := Finding{
		Kind: t.Kind, Property: t.Property, Place: t.Place, Summary: t.Summary, Schedule: t.Schedule, Seed: t.Seed,
		Tape: flags.replay, Hash: t.Hash, Replayed: replayed,
	}
	for _, g := range o.Findings {
		if g.Kind == t.Kind && g.Place == t.Place && g.Property == t.Property {
			f.Detail = g.Detail
		}
	}
	return f
}
