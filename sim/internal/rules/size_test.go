package rules

import (
	"bytes"
	"fmt"
	"go/ast"
	"strings"
)

const (
	maxFuncLines = 40
	maxFileLines = 400
)

// size checks that functions and files can be read at once. The lines of a table in a test do not
// count, and what a test reads is such a table as a whole.
func size(t *tree) []breach {
	var breaches []breach
	for _, f := range t.parsed() {
		if f.isInput() {
			continue
		}
		if n := bytes.Count(f.data, []byte("\n")); n > maxFileLines {
			breaches = append(breaches, breach{f.path, n, fmt.Sprintf("the file has %d lines, %d at most; give a part that has a name of its own a file of its own", n, maxFileLines)})
		}
		breaches = append(breaches, t.long(f, f.syntax)...)
	}
	return breaches
}

// long returns the functions below a node that are too long. A function in a long one is a part of it and not named.
func (t *tree) long(f *file, n ast.Node) []breach {
	var breaches []breach
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
		default:
			return true
		}
		lines := t.lines(n)
		for _, table := range tables(f, n) {
			lines -= t.lines(table) - 1
			breaches = append(breaches, t.long(f, table)...)
		}
		if lines > maxFuncLines {
			breaches = append(breaches, t.at(n.Pos(), "the function has %d lines, %d at most; give its parts names", lines, maxFuncLines))
		}
		return false
	})
	return breaches
}

// lines counts the lines of a node; of a function from the word func, without its doc comment.
func (t *tree) lines(n ast.Node) int {
	start := n.Pos()
	if decl, ok := n.(*ast.FuncDecl); ok {
		start = decl.Type.Func
	}
	return t.fset.PositionFor(n.End(), false).Line - t.fset.PositionFor(start, false).Line + 1
}

// tables returns the outermost lists and maps that are written down in a function of a test file.
func tables(f *file, function ast.Node) []ast.Node {
	var found []ast.Node
	ast.Inspect(function, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || !f.isTest() {
			return true
		}
		switch lit.Type.(type) {
		case *ast.ArrayType, *ast.MapType:
			found = append(found, lit)
			return false
		}
		return true
	})
	return found
}

// function returns a function of so many lines, with as many in its body as that leaves.
func function(head string, lines int) string {
	return head + " {\n" + strings.Repeat("\t_ = 0\n", lines-2) + "}"
}

// inTable returns a function of a test with a table of so many lines, the last a function of so many lines.
func inTable(rows, lines int) string {
	return "package p\n\nfunc f() {\n\t_ = []any{\n" + strings.Repeat("\t\t0,\n", rows) + function("func()", lines) + ",\n\t}\n}\n"
}

var sizeProbes = []probe{
	{
		files: map[string]string{
			"sim/a.go":                "package p\n\n" + function("func f()", 40) + "\n\n// G is too long.\n" + function("func (t *T) G()", 41) + "\n",
			"sim/a_test.go":           "package p\n\nvar f = " + function("func()", 41) + "\n",
			"sim/b_test.go":           inTable(100, 40),
			"sim/c_test.go":           inTable(0, 41),
			"sim/d.go":                inTable(40, 2),
			"sim/e.go":                "package p\n" + strings.Repeat("\n", 399),
			"sim/f_test.go":           "package p\n" + strings.Repeat("\n", 400),
			"sim/testdata/in/a.go":    "package in\n\n" + function("func f()", 41) + "\n",
			"testdata/kernels/k/k.go": "package k\n\n" + function("func f()", 41) + "\n",
			"sim/g.txt":               strings.Repeat("\n", 1000),
		},
		want: []string{"sim/a.go:45", "sim/a_test.go:3", "sim/c_test.go:5", "sim/d.go:3", "sim/f_test.go:401", "testdata/kernels/k/k.go:3"},
	},
}
