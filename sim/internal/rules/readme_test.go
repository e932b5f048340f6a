package rules

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	fence  = regexp.MustCompile("^\\s*(```|~~~)")
	span   = regexp.MustCompile("`([^`]+)`")
	link   = regexp.MustCompile(`\]\(<?([^)\s>]+)`)
	scheme = regexp.MustCompile(`^[a-z][a-z+.\-]*:`)

	makeRule    = regexp.MustCompile(`(?m)^([^\s:=#.][^\n:=#]*):(?:[^=:]|$)`)
	makeSetting = regexp.MustCompile(`^\w+=`)
	quoted      = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	commandEnd  = regexp.MustCompile(`&&|\|\|?|;|\d?>.*|(^|\s)#.*`)

	topFolder  = regexp.MustCompile(`^(sim|monitor|fakes|testdata)/`)
	lineSuffix = regexp.MustCompile(`:\d+$`)
	nameSuffix = regexp.MustCompile(`\.[A-Z]\w*$`) // of a name in a package, as in sim/tape.Tape
)

// readme checks that what Markdown files tell a reader to type and to open is there.
func readme(t *tree) []breach {
	targets := t.targets()
	var breaches []breach
	for _, f := range t.files {
		if path.Ext(f.path) == ".md" {
			breaches = append(breaches, t.readMarkdown(f, targets)...)
		}
	}
	return breaches
}

func (t *tree) readMarkdown(f *file, targets []string) []breach {
	var breaches []breach
	fenced := false
	for i, text := range strings.Split(string(f.data), "\n") {
		if fence.MatchString(text) {
			fenced = !fenced
			continue
		}
		var mends []string
		for _, code := range codes(text, fenced) {
			mends = append(mends, unmade(code, targets)...)
			mends = append(mends, t.missing(code)...)
		}
		if !fenced {
			mends = append(mends, t.broken(path.Dir(f.path), text)...)
		}
		for _, mend := range mends {
			breaches = append(breaches, breach{f.path, i + 1, mend})
		}
	}
	return breaches
}

// targets returns the targets that the Makefile has.
func (t *tree) targets() []string {
	i := slices.IndexFunc(t.files, func(f *file) bool { return f.path == "Makefile" })
	if i < 0 {
		return nil
	}
	var targets []string
	joined := bytes.ReplaceAll(t.files[i].data, []byte("\\\n"), []byte(" "))
	for _, m := range makeRule.FindAllSubmatch(joined, -1) {
		targets = append(targets, strings.Fields(string(m[1]))...)
	}
	return targets
}

// codes returns the parts of a line that are code.
func codes(text string, fenced bool) []string {
	if fenced {
		return []string{text}
	}
	var found []string
	for _, m := range span.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

// placeholders are in words for which a reader puts in something else, such as <name> or $NAME.
const placeholders = "<>$…{}"

// unmade returns what is wrong with the make commands in a piece of code.
func unmade(code string, targets []string) []string {
	var mends []string
	for _, command := range commandEnd.Split(quoted.ReplaceAllString(code, ""), -1) {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(command), "$ "))
		words = slices.DeleteFunc(words, func(w string) bool { return makeSetting.MatchString(w) || strings.HasPrefix(w, "-") })
		if len(words) == 0 || words[0] != "make" {
			continue
		}
		for _, w := range words[1:] {
			if !slices.Contains(targets, w) && !strings.ContainsAny(w, placeholders) {
				mends = append(mends, fmt.Sprintf("says make %s, and the Makefile has no target %s; write it, or name another", w, w))
			}
		}
	}
	return mends
}

// missing returns what is wrong with the paths in a piece of code that start with a folder of the top level. Patterns
// must match something.
func (t *tree) missing(code string) []string {
	var mends []string
	for _, word := range strings.FieldsFunc(code, func(r rune) bool { return strings.ContainsRune(" \t=,;|\"'()", r) }) {
		word = strings.TrimPrefix(strings.TrimRight(word, ".:"), "./")
		if !topFolder.MatchString(word) || strings.ContainsAny(word, placeholders) {
			continue
		}
		clean := path.Clean(lineSuffix.ReplaceAllString(word, ""))
		if !t.has(clean) && !t.has(nameSuffix.ReplaceAllString(clean, "")) {
			mends = append(mends, fmt.Sprintf("names %s, which does not exist; correct the path", word))
		}
	}
	return mends
}

// broken returns what is wrong with the relative links in a line of a file in dir.
func (t *tree) broken(dir, text string) []string {
	var mends []string
	for _, m := range link.FindAllStringSubmatch(span.ReplaceAllString(text, ""), -1) {
		to, _, _ := strings.Cut(m[1], "#")
		if to != "" && !scheme.MatchString(to) && !t.has(path.Join(dir, to)) {
			mends = append(mends, fmt.Sprintf("links to %s, which does not exist; correct the link", m[1]))
		}
	}
	return mends
}

// has says whether a path, or a pattern, is in the tree.
func (t *tree) has(pattern string) bool {
	found, err := fs.Glob(t.fs, pattern)
	return err == nil && len(found) > 0
}

const probeMakefile = `SEED := 1
.PHONY: test storm
export SEED
test: ; go test ./...
storm \
 storms: test
	go test $(SEED)
`

const probeReadme = "# A\n" +
	"`make test`, `make nothing`, make sure that, `make SEED`, `make $TARGET`\n" +
	"```\n" +
	"$ SEED=2 make storm storms -j2 SEED=3 STYLE=\"a b\" 2>err # then make coffee\n" +
	"cd sim && make cake\n" +
	"go test ./sim/... -cluster=testdata/clusters/none.yaml\n" +
	"[x](y)\n" +
	"```\n" +
	"`sim/a.go:3`, `sim/tape.Tape`, `testdata/*/a.yaml`, `testdata/*/b.yaml`, `monitor/<name>`, `./fakes`\n" +
	"[a](sim/a.go#L1) [b](sim/b.go) [c](https://c.example) [d](#d) `[e](f)`\n" +
	"A line with sim/none.go that is not code. ![g](sim/g.png \"G\")\n" +
	"Then `sim/none.go` and `fakes/none.go`.\n"

var readmeProbes = []probe{
	{
		files: map[string]string{
			"Makefile": probeMakefile, "README.md": probeReadme, "sim/a.go": "", "sim/tape/doc.go": "", "testdata/clusters/a.yaml": "",
			"sim/README.md": "[a](a.go) [up](../README.md) [b](sim/a.go) [out](../../out)\n",
		},
		want: []string{
			"README.md:2", "README.md:2", "README.md:5", "README.md:6", "README.md:9", "README.md:10", "README.md:11", "README.md:12", "README.md:12",
			"sim/README.md:1", "sim/README.md:1",
		},
	},
}
