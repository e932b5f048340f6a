package instrument

import (
	"context"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// instrumented loads a directory and returns the rewritten texts by base name, without building them.
func instrumented(t *testing.T, dir string) map[string]string {
	t.Helper()
	m, err := instrument(t, newBuild(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, file := range m.files {
		if filepath.Dir(file.path) == dir {
			texts[filepath.Base(file.path)] = file.text
		}
	}
	return texts
}

func instrument(t *testing.T, b Build) (*made, error) {
	t.Helper()
	prog, err := b.load(context.Background())
	if err != nil {
		return nil, err
	}
	return prog.instrument()
}

func loaded(t *testing.T, b Build) *program {
	t.Helper()
	prog, err := b.load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// Each construct is rewritten as its golden file shows, and every token of the user keeps its line.
func TestConstructs(t *testing.T) {
	dir := constructs(t)
	texts := instrumented(t, dir)
	sources, _ := filepath.Glob("testdata/constructs/*.go")
	if len(sources) < 10 {
		t.Fatalf("got %d sources in testdata/constructs, want all", len(sources))
	}
	for _, source := range sources {
		name := filepath.Base(source)
		golden := filepath.Join("testdata", "golden", name+".golden")
		if *update {
			write(t, golden, texts[name])
		}
		if got, want := texts[name], read(t, golden); got != want {
			t.Errorf("%s: run go test -update and look at the difference\ngot\n%s\nwant\n%s", name, got, want)
		}
		for _, moved := range movedTokens(read(t, source), texts[name]) {
			t.Errorf("%s: %s", name, moved)
		}
	}
}

// movedTokens lists the tokens of the original that stand on no line of their own in the instrumented text.
func movedTokens(original, text string) []string {
	var moved []string
	have := tokens(text)
	for tok, count := range tokens(original) {
		if have[tok] < count {
			moved = append(moved, fmt.Sprintf("line %d: %q stands there %d times, want %d", tok.line, tok.text, have[tok], count))
		}
	}
	sort.Strings(moved)
	return moved
}

type placed struct {
	line int
	text string
}

// tokens counts the names and literals of a text by line, as the compiler positions them. The names of operations that
// become hooks are left out.
func tokens(text string) map[placed]int {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("x.go", -1, len(text))
	s.Init(file, []byte(text), nil, 0)
	count := map[placed]int{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return count
		}
		if tok.IsLiteral() && !standsIn(literal) {
			count[placed{fset.Position(pos).Line, literal}]++
		}
	}
}

// standsIn tells whether a word may be part of an operation that a hook stands in for.
func standsIn(word string) bool {
	for _, table := range []map[string]string{functions, fatals, methods} {
		for key := range table {
			if strings.HasSuffix(key, "."+word) || strings.HasPrefix(key, word+".") {
				return true
			}
		}
	}
	return word == "clock" || word == "close" || word == "klog" || isCopied(word)
}

func isCopied(word string) bool {
	path, err := strconv.Unquote(word)
	return err == nil && slices.Contains(copiedLibraries, path)
}

func TestMovedTokensAreFound(t *testing.T) {
	original := "package x\nvar a = b\n"
	if moved := movedTokens(original, "package x; var a =\nb\n"); len(moved) != 1 {
		t.Errorf("a moved, and b did not: got %q", moved)
	}
	if moved := movedTokens(original, "package x\nvar a = /*line :3:1*/b\n"); len(moved) != 1 {
		t.Errorf("b was moved by a comment: got %q", moved)
	}
	if moved := movedTokens(original, "package x; import \"y\"; /*line :2:1*/ var a = b\n"); moved != nil {
		t.Errorf("nothing moved: got %q", moved)
	}
}
