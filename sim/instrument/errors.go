package instrument

import (
	"fmt"
	"go/token"
	"slices"
	"sort"
	"strings"
)

// maxLines bounds how much of a compiler's output an error repeats.
const maxLines = 10

// problem is a construct that cannot be rewritten.
type problem struct {
	pos  token.Position
	text string // what, and the mend
}

// problems is an error that lists constructs by file and line.
type problems []problem

func (ps problems) Error() string {
	sort.SliceStable(ps, func(i, j int) bool {
		a, b := ps[i].pos, ps[j].pos
		if a.Filename != b.Filename {
			return a.Filename < b.Filename
		}
		return a.Offset < b.Offset
	})
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = fmt.Sprintf("%s:%d: %s", p.pos.Filename, p.pos.Line, p.text)
	}
	return strings.Join(lines, "\n")
}

// broken reports a package that does not compile, with the compiler's first lines.
func broken(path string, lines []string) error {
	lines = strings.Split(strings.Join(lines, "\n"), "\n")
	told := map[string]bool{} // the package and its test variant have the same errors
	lines = slices.DeleteFunc(lines, func(s string) bool {
		again := told[s]
		told[s] = true
		return again || strings.HasPrefix(s, "# ")
	})
	return fmt.Errorf("instrument: package %s does not compile; make it build with go test first: %s",
		path, firstLines(lines))
}

func firstLines(lines []string) string {
	if more := len(lines) - maxLines; more > 0 {
		lines = append(lines[:maxLines:maxLines], fmt.Sprintf("… and %d more", more))
	}
	return strings.Join(lines, "\n")
}
