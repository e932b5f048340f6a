package rules

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// marks are what people write where they stop. After a point they are names, as in context.TODO.
var marks = regexp.MustCompile(`(^|[^.\w])(TODO|FIXME|XXX|HACK)\b`)

// skips are the methods by which a test gives up and passes.
var skips = []string{"Skip", "Skipf", "SkipNow"}

// unfinished checks that nothing is left for later: no mark in a comment, and no test that is skipped.
func unfinished(t *tree) []breach {
	var breaches []breach
	for _, f := range t.parsed() {
		for _, group := range f.syntax.Comments {
			for _, c := range group.List {
				breaches = append(breaches, t.marked(c)...)
			}
		}
		breaches = append(breaches, t.skipped(f)...)
	}
	return breaches
}

// marked returns the lines of a comment with a mark.
func (t *tree) marked(c *ast.Comment) []breach {
	var breaches []breach
	for i, line := range strings.Split(c.Text, "\n") {
		if m := marks.FindStringSubmatch(line); m != nil {
			b := t.at(c.Pos(), "the comment says %s; do it, or say in words what the code does not do", m[2])
			b.line += i
			breaches = append(breaches, b)
		}
	}
	return breaches
}

func (t *tree) skipped(f *file) []breach {
	var breaches []breach
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(skips, sel.Sel.Name) {
			breaches = append(breaches, t.at(sel.Sel.Pos(), "%s skips a test, and a test that is skipped finds nothing; make it run, or delete it", sel.Sel.Name))
		}
		return true
	})
	return breaches
}

var unfinishedProbes = []probe{
	{
		files: map[string]string{
			"sim/a.go": "package sim\n\n// F.\n// TODO: all.\nfunc F() {}\n\n/* a\nFIXME\n*/\n\nvar a = 1 // XXX\n" +
				"\n// context.TODO is a name, and a HACKATHON is not a mark.\nvar b = \"HACK\"\n",
			"testdata/kernels/k/a.go": "package k\n\n// A HACK.\n",
			"sim/a_test.go":           "package sim\n\nfunc a() {\n\tt.Skip()\n\tb.Skipf(\"\")\n\n\tc.t.SkipNow()\n\td(filepath.SkipDir)\n\tf.Skipped()\n}\n",
		},
		want: []string{"sim/a.go:4", "sim/a.go:8", "sim/a.go:11", "sim/a_test.go:4", "sim/a_test.go:5", "sim/a_test.go:7", "testdata/kernels/k/a.go:3"},
	},
}
