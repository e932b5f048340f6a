package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// empties are names that say nothing of what is inside.
var empties = []string{"util", "utils", "helper", "helpers", "common", "base", "manager", "misc"}

// names checks that files, packages and directories are named after what they hold.
func names(t *tree) []breach {
	var breaches []breach
	for _, dir := range t.dirs {
		if word := empty(dir); word != "" {
			breaches = append(breaches, breach{file: dir, mend: vague("directory", word)})
		}
	}
	for _, f := range t.files {
		if word := empty(f.path); word != "" {
			breaches = append(breaches, breach{file: f.path, mend: vague("file", word)})
		}
		if f.syntax == nil {
			continue
		}
		if word := empty(f.syntax.Name.Name); word != "" {
			breaches = append(breaches, t.at(f.syntax.Name.Pos(), "%s", vague("package", word)))
		}
	}
	return breaches
}

func vague(kind, word string) string {
	return fmt.Sprintf("the name of the %s says %q, which is no subject; name it after its main type or verb", kind, word)
}

// empty returns the word of the last element of a path that says nothing, or "".
func empty(name string) string {
	words := strings.FieldsFunc(strings.ToLower(path.Base(name)), func(r rune) bool { return strings.ContainsRune("_-.", r) })
	if i := slices.IndexFunc(words, func(word string) bool { return slices.Contains(empties, word) }); i >= 0 {
		return words[i]
	}
	return ""
}

var namesProbes = []probe{
	{
		files: map[string]string{
			"sim/utils/a.go":             "package utils\n",
			"sim/b.go":                   "package common\n",
			"sim/helpers_test.go":        "package sim\n",
			"fakes/base.go":              "package fakes\n",
			"testdata/Misc.yaml":         "",
			"fakes/snapshotmanager.go":   "package fakes\n",
			"sim/hook/utility/common.md": "",
		},
		want: []string{
			"sim/utils", "fakes/base.go", "sim/b.go:1", "sim/helpers_test.go", "sim/hook/utility/common.md",
			"sim/utils/a.go:1", "testdata/Misc.yaml",
		},
	},
}
