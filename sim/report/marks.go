package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// place is a line of a file.
type place struct {
	file string
	line int
}

func parsePlace(s string) place {
	i := strings.LastIndex(s, ":")
	line, err := strconv.Atoi(s[i+1:])
	if i < 0 || err != nil {
		return place{file: s}
	}
	return place{s[:i], line}
}

// mark is an event that the finding is about, and which of the finding's places it ran; "" if it is not known to have.
type mark struct {
	event int
	place string
}

// marks returns the events that the finding is about: of a race, the two that are closest to each other among those that ran
// its lines in different tasks, or else those of the steps that they were in; of others, the last one before it was seen.
func (t Timeline) marks(read func(string) ([]byte, error)) []mark {
	places := t.Finding.Places
	var at [][]int
	for _, p := range places {
		at = append(at, t.ran(parsePlace(p), read))
	}
	if t.Finding.Kind == "data-race" && len(at) > 0 {
		if both := t.closest(mark{place: places[0]}, mark{place: places[len(places)-1]}, at[0], at[len(at)-1]); both != nil {
			return both
		}
		return t.accesses()
	}
	var marks []mark
	for i, events := range at {
		if last := t.lastUntil(events); last >= 0 {
			marks = append(marks, mark{last, places[i]})
		}
	}
	if len(marks) == 0 && t.Finding.Step > 0 {
		all := make([]int, len(t.Events))
		for i := range all {
			all[i] = i
		}
		if last := t.lastUntil(all); last >= 0 {
			marks = append(marks, mark{event: last})
		}
	}
	return marks
}

// accesses returns the events in whose steps the accesses of a race were.
func (t Timeline) accesses() (marks []mark) {
	for _, a := range t.Finding.Race {
		at := slices.IndexFunc(t.Events, func(e Event) bool { return e.Step == a.Step && !e.Inside && e.Lane >= 0 })
		if at >= 0 {
			marks = append(marks, mark{at, a.Place})
		}
	}
	return marks
}

// lastUntil returns the last of some events that came before the finding was seen, or -1.
func (t Timeline) lastUntil(events []int) int {
	last := -1
	for _, i := range events {
		if t.Finding.Step == 0 || t.Events[i].Step <= t.Finding.Step {
			last = i
		}
	}
	return last
}

// closest sets the events of two marks to those of the lists that are of different lanes and have the fewest others between
// them. It returns nil if there are none.
func (t Timeline) closest(a, b mark, ofA, ofB []int) []mark {
	least := len(t.Events)
	for _, i := range ofA {
		for _, k := range ofB {
			if between := max(i-k, k-i); t.Events[i].Lane != t.Events[k].Lane && between < least {
				least, a.event, b.event = between, i, k
			}
		}
	}
	switch {
	case least == len(t.Events):
		return nil
	case a.event > b.event:
		return []mark{b, a}
	}
	return []mark{a, b}
}

// ran returns the steps that ran a line. Where no point is at the line itself, that are those with a point of the line's
// function before it or after it.
func (t Timeline) ran(p place, read func(string) ([]byte, error)) []int {
	var exact, around []int
	from, to := function(p, read)
	in := func(q place) bool { return q.file == p.file && from <= q.line && q.line <= to }
	next := map[int]place{} // where the task of a lane goes on
	for i, e := range slices.Backward(t.Events) {
		if e.Inside || e.Lane < 0 {
			continue
		}
		at, then := parsePlace(e.Place), next[e.Lane]
		next[e.Lane] = at
		switch {
		case at == p:
			exact = append(exact, i)
		case in(at) && at.line <= p.line && (!in(then) || p.line <= then.line), !in(at) && in(then) && p.line <= then.line:
			around = append(around, i)
		}
	}
	if exact == nil {
		exact = around
	}
	slices.Reverse(exact)
	return exact
}

// function returns the first and the last line of the innermost function around a place; 1 and 0 if there is none.
func function(p place, read func(string) ([]byte, error)) (from, to int) {
	from, to = 1, 0
	src, err := read(p.file)
	if err != nil {
		return from, to
	}
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, p.file, src, parser.SkipObjectResolution)
	if err != nil {
		return from, to
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			first, last := set.PositionFor(n.Pos(), false).Line, set.PositionFor(n.End(), false).Line
			if first <= p.line && p.line <= last {
				from, to = first, last
			}
		}
		return true
	})
	return from, to
}
