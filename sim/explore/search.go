package explore

import (
	"encoding/binary"
	"math"
)

// Search is an exhaustive search under way: which paths are to be searched next, and which were met already. It is for one
// goroutine.
type Search struct {
	levels [][]Branch     // to be searched, by how much of the bound they use up
	order  map[string]int // of all paths that were met, from 1
	left   int
}

// NewSearch returns a search that begins with the dullest schedule.
func NewSearch() *Search {
	s := &Search{order: map[string]int{}}
	s.Add(Expansion{Branches: []Branch{{}}})
	return s
}

// Add adds the branches of a world that are new. Equal calls in equal order make equal searches.
func (s *Search) Add(e Expansion) {
	last, instead := s.lastNew(e.Asleep)
	for _, b := range append(e.Branches, instead...) {
		key := b.Path.key()
		if s.order[key] > 0 || b.Due > last {
			continue
		}
		s.order[key] = len(s.order) + 1
		s.left++
		level := b.Price.Sum()
		for len(s.levels) <= level {
			s.levels = append(s.levels, nil)
		}
		s.levels[level] = append(s.levels[level], b)
	}
}

// lastNew returns the last move behind which a world has shown something new, and who should have gone on instead of the
// task that brought nothing new: the first one that would.
func (s *Search) lastNew(asleep []Asleep) (last int, instead []Branch) {
	last = math.MaxInt
	var first Asleep
	tasks := map[int]bool{}
	for _, a := range asleep {
		if earlier := s.order[a.Earlier.key()]; earlier > 0 && earlier < s.order[a.Own.key()] {
			tasks[a.Task] = true
			if a.Move < last {
				last, first = a.Move, a
			}
		}
	}
	for i, b := range first.Others {
		if !tasks[first.Tasks[i]] {
			return last, []Branch{b}
		}
	}
	return last, nil
}

// Next takes the next branch from the search: of the ones that use up least, the one that was met first. A level is begun
// only when nothing of a lower one is under way: idle says so.
func (s *Search) Next(idle func(level int) bool) (b Branch, ok bool) {
	for level, all := range s.levels {
		if len(all) > 0 {
			s.levels[level] = all[1:]
			s.left--
			return all[0], true
		}
		if !idle(level) {
			break
		}
	}
	return b, false
}

// Left is how many branches have been met and not searched.
func (s *Search) Left() int { return s.left }

// key is the path in a few bytes.
func (p Path) key() string {
	var b []byte
	last := 0
	for _, d := range p {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(d.Index-last)), uint64(d.Answer))
		last = d.Index
	}
	return string(b)
}
