package sim

import (
	"fmt"
	"slices"

	"github.com/snapstorm/snapstorm/sim/tape"
)

// shrinkRuns is how many worlds the shrinking of one finding may take, if the user does not say.
const shrinkRuns = 300

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
		if t.BySeed || t.Kind == "nondeterminism" || t.Kind == "hang" {
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
		misuse("%s: %s", flags.replay, o.Misfit)
	case o.Died:
		misuse("%s: its world ends the process, so nobody can tell which choices it made: it stays as it is", flags.replay)
	case t.BySeed && o.BySeed:
		misuse("%s: its world makes more than %d choices: it stays as it is", flags.replay, maxEntries)
	}
	if o.Entries != nil { // those of the file may be of a version that dated them otherwise
		t.BySeed, t.Entries = false, o.Entries
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
	var last outcome
	tries := 1
	if t.Kind == "data-race" {
		tries = triesOfRace
	}
	try := func(entries []tape.Entry) ([]tape.Entry, bool) {
		guide := *t
		guide.Entries = entries
		var o outcome
		o, p = x.one(p, request{Seed: t.Seed, Schedule: t.Schedule, Tape: &guide, Guided: true, Repeat: tries})
		shown := slices.ContainsFunc(o.Replays, func(r replayed) bool {
			return slices.Contains(r.Shown, key(t.Kind, t.Property, t.Place))
		})
		if shown {
			last = o
		}
		return o.Entries, shown
	}
	whole := t.Entries
	if _, again := try(whole); !again {
		return p
	}
	t.Entries = tape.Shrink(whole, min(flags.shrink, shrinkSteps/max(t.Steps, 1)), try)
	made, again := try(t.Entries)
	if !again {
		t.Entries = whole
		return p
	}
	t.Entries, t.Hash, t.Steps = made, hashText(last.Hash), last.Steps
	t.Shrunk = fmt.Sprintf("%d of %d", len(t.Entries), len(whole))
	f.Hash, f.Shrunk, f.Story = t.Hash, t.Shrunk, story(t.Entries)
	for _, g := range last.Findings {
		if key(g.Kind, g.Property, g.Place) == f.key() {
			f.Summary, f.Detail, t.Summary = g.Summary, g.Detail, g.Summary
		}
	}
	return p
}
