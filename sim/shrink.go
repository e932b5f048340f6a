package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/snapstorm/snapstorm/sim/explore"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// shrinkRuns is how many worlds the shrinking of one finding may take, if the user does not say.
const shrinkRuns = 600

// shrinkSteps is how many steps they may take in all: a long world is tried less often.
const shrinkSteps = 2_000_000

// triesOfRace is how often a world is tried before a race is taken for gone: the detector does not see all of them.
const triesOfRace = 3

// shrink makes the tapes of the findings as short as it can. It comes before they are verified.
func (x *exploration) shrink() {
	if !x.options.check || flags.shrink == 0 || x.isolated.Load() {
		return
	}
	p := x.spareProcess()
	for i, t := range x.tapes {
		if t.BySeed || t.Kind == "nondeterminism" || t.Kind == "hang" || !x.summary.Findings[i].wanted() {
			continue
		}
		x.progress.say("shrinking finding %d of %d", i+1, len(x.tapes))
		p = x.shrinkOne(p, t, &x.summary.Findings[i])
		x.save(t, x.summary.Findings[i].Tape)
	}
	x.release(p)
}

// rewrite shrinks the tape that the user gave, and writes it back.
func (x *exploration) rewrite(t *tape.Tape) {
	o, p := x.playOn(nil, t, 1, "")
	switch {
	case o.Misfit != "":
		misuse("%s", misfitOf(flags.replay, o.Misfit))
	case o.Died:
		misuse("%s: its world ends the process, so nobody can tell which choices it made: it stays as it is", flags.replay)
	case t.BySeed && o.BySeed:
		misuse("%s: its world makes more than %d choices: it stays as it is", flags.replay, maxEntries)
	}
	if o.Entries != nil { // those of the file may be of a version that dated them otherwise
		t.BySeed, t.Entries = false, o.Entries
	}
	if now := meant(t, o.Findings); now != nil {
		t.Place, t.Summary = now.Place, now.Summary
	}
	f := Finding{Kind: t.Kind, Property: t.Property, Place: t.Place}
	if p = x.shrinkOne(p, t, &f); p != nil {
		p.close()
	}
	if f.Shrunk == "" {
		misuse("%s: the finding did not show again, so nothing can be left out", flags.replay)
	}
	x.save(t, flags.replay)
	fmt.Printf("%s: %s choices are left\n", flags.replay, t.Shrunk)
	for _, line := range f.Story {
		fmt.Println("  " + line)
	}
}

// shrinkOne shrinks the tape of a finding in place, on p or on a new worker, and tells what it is like in the shrunk world.
func (x *exploration) shrinkOne(p *process, t *tape.Tape, f *Finding) *process {
	s := &shrinking{x: x, p: p, tape: t}
	whole := t.Entries
	if _, again := s.Try(whole); !again {
		return s.p
	}
	t.Entries = tape.Shrink(whole, min(flags.shrink, shrinkSteps/max(t.Steps, 1)), s)
	made, again := s.Try(t.Entries)
	if !again {
		t.Entries = whole
		return s.p
	}
	t.Entries, t.Hash, t.Steps = made, hashText(s.last.Hash), s.last.Steps
	_, before, shrunk := strings.Cut(t.Shrunk, " of ") // perhaps it was shrunk already
	if !shrunk {
		before = strconv.Itoa(len(whole))
	}
	t.Shrunk = fmt.Sprintf("%d of %s", len(t.Entries), before)
	f.Hash, f.Shrunk, f.Story = t.Hash, t.Shrunk, t.Story()
	for _, g := range s.last.Findings {
		if key(g.Kind, g.Property, g.Place) == f.key() {
			f.Summary, f.Detail, t.Summary = g.Summary, g.Detail, g.Summary
		}
	}
	return s.p
}

// shrinking is the world of a finding, whose tape is made shorter. It implements tape.Subject.
type shrinking struct {
	x    *exploration
	p    *process
	tape *tape.Tape
	last outcome // the last that had the finding
}

// Try implements tape.Subject.
func (s *shrinking) Try(entries []tape.Entry) ([]tape.Entry, bool) {
	return s.play(entries, explore.Nudge{})
}

// maxNudges bounds the switches that a nudge takes.
const maxNudges = 3

// Nudge implements tape.Subject.
func (s *shrinking) Nudge(entries []tape.Entry, seed int) ([]tape.Entry, bool) {
	return s.play(entries, explore.Nudge{Seed: uint64(seed), Most: 1 + seed%maxNudges, Places: strings.Split(s.tape.Place, ", ")})
}

func (s *shrinking) play(entries []tape.Entry, n explore.Nudge) ([]tape.Entry, bool) {
	guide := *s.tape
	guide.Entries = entries
	tries := 1
	if s.tape.Kind == "data-race" {
		tries = triesOfRace
	}
	var o outcome
	o, s.p = s.x.one(s.p, request{Seed: guide.Seed, Schedule: guide.Schedule, Tape: &guide, Guided: true, Nudge: n, Repeat: tries})
	for _, r := range o.Replays {
		if slices.Contains(r.Shown, key(guide.Kind, guide.Property, guide.Place)) {
			s.last = o
			return o.Entries, true
		}
	}
	return o.Entries, false
}
