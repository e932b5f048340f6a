package explore

import "encoding/binary"

// Search is an exhaustive search under way: which paths are to be searched next, and which were met already. It is for one
// goroutine.
type Search struct {
	levels [][]Branch // to be searched, by how much of the bound they use up
	seen   map[string]bool
	left   int
}

// NewSearch returns a search that begins with the dullest schedule.
func NewSearch() *Search {
	s := &Search{seen: map[string]bool{}}
	s.Add([]Branch{{}})
	return s
}

// Add adds the branches of a world that are new. Equal calls in equal order make equal searches.
func (s *Search) Add(branches []Branch) {
	for _, b := range branches {
		key := b.Path.key()
		if s.seen[key] {
			continue
		}
		s.seen[key] = true
		s.left++
		level := b.Preemptions + b.Faults
		for len(s.levels) <= level {
			s.levels = append(s.levels, nil)
		}
		s.levels[level] = append(s.levels[level], b)
	}
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
