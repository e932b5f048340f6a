package instrument

import (
	"sort"
	"strings"
)

// edits collects changes of one text. Rules run from the leaves of the syntax tree to its root, and two of them may
// insert at one offset: what stands before a token then nests outward, the last added first, and what stands after a
// token closes inward, the first added first.
type edits struct {
	src  []byte
	list []edit
}

type edit struct {
	from, to int // from == to for an insertion
	kind     place
	text     string
}

type place int

const (
	afterToken  place = iota // belongs to the token that ends at the offset
	beforeToken              // belongs to the token that starts at the offset
	instead                  // takes the place of the text between the offsets
)

// before inserts text in front of the token that starts at offset at.
func (e *edits) before(at int, text string) {
	e.list = append(e.list, edit{at, at, beforeToken, text})
}

// after inserts text behind the token that ends at offset at.
func (e *edits) after(at int, text string) {
	e.list = append(e.list, edit{at, at, afterToken, text})
}

// replace puts text in the place of the source between two offsets. Edits inside are forgotten.
func (e *edits) replace(from, to int, text string) {
	e.take(from, to)
	e.list = append(e.list, edit{from, to, instead, text})
}

// take returns the edited text between two offsets and forgets the edits there, so that the caller can put the text
// somewhere else.
func (e *edits) take(from, to int) string {
	var inside, rest []edit
	for _, ed := range e.list {
		if ed.within(from, to) {
			inside = append(inside, ed)
		} else {
			rest = append(rest, ed)
		}
	}
	e.list = rest
	return render(e.src, from, to, inside)
}

// String returns the whole edited text.
func (e *edits) String() string {
	return render(e.src, 0, len(e.src), e.list)
}

func (ed edit) within(from, to int) bool {
	switch ed.kind {
	case afterToken:
		return from < ed.from && ed.from <= to
	case beforeToken:
		return from <= ed.from && ed.from < to
	}
	return from <= ed.from && ed.to <= to
}

// render applies the edits, which must not overlap, to the source between two offsets.
func render(src []byte, from, to int, list []edit) string {
	var b strings.Builder
	for _, ed := range inOrder(list) {
		b.Write(src[from:ed.from])
		b.WriteString(ed.text)
		from = ed.to
	}
	b.Write(src[from:to])
	return b.String()
}

func inOrder(list []edit) []edit {
	age := make([]int, len(list))
	for i := range age {
		age[i] = i
	}
	sort.Slice(age, func(i, j int) bool {
		a, b := list[age[i]], list[age[j]]
		switch {
		case a.from != b.from:
			return a.from < b.from
		case a.kind != b.kind:
			return a.kind < b.kind
		case a.kind == beforeToken:
			return age[i] > age[j]
		}
		return age[i] < age[j]
	})
	sorted := make([]edit, len(list))
	for i, k := range age {
		sorted[i] = list[k]
	}
	return sorted
}
