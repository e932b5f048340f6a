package tape

import "slices"

// Shrink returns as few entries as it can find with which try still succeeds. Try plays entries and returns those that the
// world really made of them, which may be fewer. The given entries must succeed; runs bounds how often try is called.
//
// It is the algorithm of Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (TSE 2002), without the
// tries of a chunk alone, with two first guesses (nothing at all, and no switches), and with pairs when few are left. What is
// left is then made smaller: answers of other questions than switches become 1.
func Shrink(entries []Entry, runs int, try func([]Entry) (made []Entry, ok bool)) []Entry {
	s := &shrinker{best: entries, runs: runs, try: try}
	if s.keep(nil) || s.keep(slices.DeleteFunc(slices.Clone(entries), Entry.isSwitch)) && len(s.best) == 0 {
		return s.best
	}
	for size := max(len(s.best)/2, 1); ; size = min(max(size/2, 1), max(len(s.best)/2, 1)) {
		if removed := s.pass(size); s.runs <= 0 || size == 1 && !removed && !s.pairs() {
			break
		}
	}
	s.lower()
	return s.best
}

type shrinker struct {
	best []Entry
	runs int
	try  func([]Entry) ([]Entry, bool)
}

func (e Entry) isSwitch() bool { return e.Asker == "switch" }

// keep tries some entries, and keeps what became of them if that is no more than before.
func (s *shrinker) keep(some []Entry) bool {
	if s.runs--; s.runs < 0 {
		return false
	}
	made, ok := s.try(some)
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
