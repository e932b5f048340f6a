package rules

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// homes matches the rest of a path that goes through a directory that is somebody's own.
var homes = regexp.MustCompile(`(?m)/(?:root|home|work|tmp)(?:[^\w\-]|$)`)

// paths checks that no text file names a directory that only one machine has. Tests join such paths when they run.
func paths(t *tree) []breach {
	var breaches []breach
	for _, f := range t.files {
		if bytes.IndexByte(f.data, 0) >= 0 {
			continue // not text
		}
		for _, m := range homes.FindAllIndex(f.data, -1) {
			if before := f.data[:m[0]]; absolute(before) {
				line := bytes.Count(before, []byte("\n")) + 1
				breaches = append(breaches, breach{f.path, line, "names a directory that other machines do not have; use a relative path, t.TempDir or os.TempDir"})
			}
		}
	}
	return breaches
}

// absolute says whether a slash starts a path, by what is before it.
func absolute(before []byte) bool {
	last, _ := utf8.DecodeLastRune(before)
	inPath := last == '_' || unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune("./-~$})", last)
	return len(before) == 0 || !inPath || bytes.HasSuffix(before, []byte("://"))
}

var pathsProbes = []probe{
	{
		files: map[string]string{
			"Makefile":        "all:\n\tcp a " + "/" + "tmp/a\n",
			"sim/a.go":        "package sim\n\nvar a = \"" + "/" + "home/me\"\n\n// In (" + "/" + "work) it is.\n",
			"sim/a.md":        "See file://" + "/" + "root/a and `" + "/" + "root`.\n",
			"sim/b.md":        "The import k8s.io/work/v1, ./tmp/a, $(OUT)/tmp/a, /workspace/a, /home-page.\n",
			"testdata/binary": "\x00 /" + "tmp/a\n",
			".ci/run":         "cd /" + "work/main\n",
		},
		want: []string{"Makefile:2", "sim/a.go:3", "sim/a.go:5", "sim/a.md:1", "sim/a.md:1"},
	},
}
