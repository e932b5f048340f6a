package tape

import (
	"math/rand/v2"
	"slices"
)

// Subject is a world that fails, for Shrink. Both methods play entries and return those that the world really made of them.
type Subject interface {
	// Try plays entries, and 0 to all other questions.
	Try([]Entry) (made []Entry, ok bool)

	// Nudge plays entries, and takes a few switches more, drawn from a seed.
	Nudge(some []Entry, seed int) (made []Entry, ok bool)
}

// Shrink returns as few entries as it can find with which the subject still fails. The given entries must do; runs bounds how
// many worlds it may take.
//
// It is the algorithm of Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (TSE 2002), without the
// tries of a chunk alone, with two first guesses (nothing at all, and no switches), and with pairs when few are left. What is
// left is then made smaller: answers of other questions than switches become 1.
//
// To leave out ends in a local minimum where the entries hang together, as when each decides who is next in a queue. So before
// and after, Shrink looks for a failure that needs few switches from the other side: from hardly any entries.
func Shrink(entries []Entry, runs int, subject Subject) []Entry {
	s := &shrinker{best: entries, runs: runs, subject: subject}
	if s.keep(nil) || s.keep(others(s.best)) && len(s.best) == 0 {
		return s.best
	}
	s.restart(nil, firstNudges)
	for s.leaveOut(); len(s.best) > few && s.restart(s.best, laterNudges); {
		s.leaveOut()
	}
	s.lower()
	return s.best
}

// others are the entries that are no switches.
func others(entries []Entry) []Entry {
	return slices.DeleteFunc(slices.Clone(entries), Entry.isSwitch)
}

type shrinker struct {
	best    []Entry
	runs    int
	seed    int
	subject Subject
}

// few entries are so few that fewer are hardly worth to look for.
const few = 3

// How many worlds are nudged at first, when to leave out may do, and when that has ended with more than a few.
const (
	firstNudges = 80
	laterNudges = 250
)

// restart looks for a failure not far from some entries, which are fewer than the best. It returns whether it has found one.
func (s *shrinker) restart(from []Entry, nudges int) bool {
	for range nudges {
		if s.runs--; s.runs < 0 {
			return false
		}
		s.seed++
		made, ok := s.subject.Nudge(s.some(from), s.seed)
		if ok && len(made) < len(s.best) {
			s.best = made
			return true
		}
	}
	return false
}

// some are about half of the entries, or of those that are no switches, or all of those, by the seed.
func (s *shrinker) some(entries []Entry) []Entry {
	draw := rand.New(rand.NewPCG(uint64(s.seed), 0))
	kind := draw.IntN(3)
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool {
		return kind > 0 && e.isSwitch() || kind < 2 && draw.IntN(2) == 0
	})
}

// leaveOut leaves entries out until none of those that are left can be.
func (s *shrinker) leaveOut() {
	for size := max(len(s.best)/2, 1); ; size = min(max(size/2, 1), max(len(s.best)/2, 1)) {
		if removed := s.pass(size); s.runs <= 0 || size == 1 && !removed && !s.pairs() {
			break
		}
	}
}

func (e Entry) isSwitch() bool { return e.Asker == "switch" }

// keep tries some entries, and keeps what became of them if that is no more than before.
func (s *shrinker) keep(some []Entry) bool {
	if s.runs--; s.runs < 0 {
		return false
	}
	made, ok := s.subject.Try(some)
	if !ok || len(made) > len(s.best) {
		return false
	}
	s.best = made
	return true
}

// pass tries to do without each chunk of a size, from the end on: what comes late depends on what came early.
func (s *shrinker) pass(size int) (removed bool) {
	for end := len(s.best); end > 0; end = min(end-size, len(s.best)) {
		start := max(end-size, 0)
		if s.keep(slices.Concat(s.best[:start], s.best[end:])) {
			removed = true
		}
	}
	return removed
}

// maxPaired is how many entries there may be to try pairs of them.
const maxPaired = 16

// pairs tries to do without two entries at a time: to switch away from a task and back takes both, or none.
func (s *shrinker) pairs() bool {
	if len(s.best) > maxPaired {
		return false
	}
	for i := range s.best {
		for k := i + 1; k < len(s.best); k++ {
			if s.keep(slices.Concat(s.best[:i], s.best[i+1:k], s.best[k+1:])) {
				return true
			}
		}
	}
	return false
}

// lower makes answers smaller.
func (s *shrinker) lower() {
	for i := 0; i < len(s.best); i++ {
		if e := s.best[i]; !e.isSwitch() && e.Answer > 1 {
			lower := slices.Clone(s.best)
			lower[i].Answer = 1
			s.keep(lower)
		}
	}
}
