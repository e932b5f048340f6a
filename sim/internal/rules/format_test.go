package rules

import (
	"bytes"
	"go/format"
)

// gofmt checks that every Go file is correct Go and looks as gofmt would have it.
func gofmt(t *tree) []breach {
	var breaches []breach
	for _, f := range t.files {
		if !f.isGo() {
			continue
		}
		if f.err != nil {
			breaches = append(breaches, breach{file: f.path, mend: "is not correct Go: " + f.err.Error()})
			continue
		}
		var formatted bytes.Buffer
		if err := format.Node(&formatted, t.fset, f.syntax); err != nil {
			breaches = append(breaches, breach{file: f.path, mend: "cannot be formatted: " + err.Error()})
		} else if line := firstDifference(f.data, formatted.Bytes()); line > 0 {
			breaches = append(breaches, breach{f.path, line, "is not as gofmt would have it; run gofmt -w " + f.path})
		}
	}
	return breaches
}

// firstDifference returns the number of the first line of a that is not the same in b, or 0 if there is none.
func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 0
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return bytes.Count(a[:n], []byte("\n")) + 1
}

var gofmtProbes = []probe{
	{
		files: map[string]string{
			"sim/a.go":              "package sim\n\nvar  a = 1\n",
			"sim/b.go":              "package sim\n\nvar a = 1",
			"sim/c.go":              "package\n",
			"sim/testdata/a/a.go":   "package a\n\nfunc f() {\n  g()\n}\n",
			"sim/d.go":              "package sim\n\nvar a = 1\n",
			"sim/testdata/a.golden": "package  a\n",
		},
		want: []string{"sim/a.go:3", "sim/b.go:3", "sim/c.go", "sim/testdata/a/a.go:4"},
	},
}
