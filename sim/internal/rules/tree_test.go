package rules

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// module is the import path of the tree's root.
const module = "github.com/snapstorm/snapstorm"

// tree is a checkout, read once.
type tree struct {
	fs    fs.FS
	fset  *token.FileSet
	dirs  []string // paths relative to the root, in their order
	files []*file  // in the order of their paths
}

// file is one file of a tree.
type file struct {
	path   string // relative to the root, with slashes
	data   []byte
	syntax *ast.File // nil when the file is not Go, or not correct Go
	err    error     // why it is not correct Go
}

// breach is a place where a rule is broken. Line is 0 when it is the file as a whole, or a directory.
type breach struct {
	file string
	line int
	mend string
}

func (b breach) where() string {
	if b.line == 0 {
		return b.file
	}
	return fmt.Sprintf("%s:%d", b.file, b.line)
}

func (b breach) String() string { return b.where() + ": " + b.mend }

// at is a breach in a Go file.
func (t *tree) at(pos token.Pos, format string, args ...any) breach {
	p := t.fset.PositionFor(pos, false)
	return breach{p.Filename, p.Line, fmt.Sprintf(format, args...)}
}

// read reads a checkout. Files that disappear meanwhile are left out: other packages' tests may run beside this one.
func read(fsys fs.FS) (*tree, error) {
	t := &tree{fs: fsys, fset: token.NewFileSet()}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case !d.IsDir():
			return t.add(name, d)
		case name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case name != ".":
			t.dirs = append(t.dirs, name)
		}
		return nil
	})
	return t, err
}

// add reads a file, unless it is something else, such as a link.
func (t *tree) add(name string, d fs.DirEntry) error {
	if !d.Type().IsRegular() {
		return nil
	}
	data, err := fs.ReadFile(t.fs, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	f := &file{path: name, data: data}
	if f.isGo() {
		f.syntax, f.err = parser.ParseFile(t.fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
		if f.err != nil {
			f.syntax = nil
		}
	}
	t.files = append(t.files, f)
	return nil
}

// parsed returns the Go files that are correct Go. The format rule reports the others.
func (t *tree) parsed() []*file {
	return slices.DeleteFunc(slices.Clone(t.files), func(f *file) bool { return f.syntax == nil })
}

func (f *file) isGo() bool   { return strings.HasSuffix(f.path, ".go") }
func (f *file) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// isInput says whether the file is what a test reads, in a testdata directory below the top level.
func (f *file) isInput() bool { return strings.Contains(path.Dir(f.path)+"/", "/testdata/") }

// under says whether the file is in one of the directories, or below.
func (f *file) under(dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(f.path, dir+"/") })
}
