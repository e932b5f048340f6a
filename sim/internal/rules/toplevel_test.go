package rules

import (
	"slices"
	"strings"
)

// tops is what the top level holds, besides files and directories whose name starts with a dot.
var tops = []string{"Makefile", "README.md", "fakes", "go.mod", "go.sum", "monitor", "sim", "testdata"}

// topLevel checks that the top level holds what belongs there and nothing else.
func topLevel(t *tree) []breach {
	var found []string
	for _, f := range t.files {
		found = append(found, f.path)
	}
	found = slices.DeleteFunc(append(found, t.dirs...), func(name string) bool {
		return strings.Contains(name, "/") || strings.HasPrefix(name, ".")
	})
	slices.Sort(found)
	var breaches []breach
	for _, name := range found {
		if !slices.Contains(tops, name) {
			breaches = append(breaches, breach{file: name, mend: "does not belong at the top level; move it below one of its folders, or delete it"})
		}
	}
	for _, name := range tops {
		if !slices.Contains(found, name) {
			breaches = append(breaches, breach{file: name, mend: "is missing at the top level; write it"})
		}
	}
	return breaches
}

var topLevelProbes = []probe{
	{
		files: map[string]string{
			"Makefile": "", "README.md": "", "fakes/a.go": "", "go.mod": "", "go.sum": "", "monitor/a.go": "", "sim/a.go": "",
			"testdata/a": "", ".gitignore": "", ".ci/notes": "",
		},
	},
	{
		files: map[string]string{
			"Makefile": "", "README.md": "", "fakes/a.go": "", "go.mod": "", "sim": "", "monitor/a.go": "", "testdata/a": "",
			"docs/a.md": "", "monitor.test": "",
		},
		want: []string{"docs", "monitor.test", "go.sum"},
	},
}
