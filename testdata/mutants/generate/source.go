package generate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// source is a package's own files, with their types.
type source struct {
	fset  *token.FileSet
	files []*ast.File
	texts map[*ast.File][]byte
	info  *types.Info
	types *types.Package
}

// load reads the package in a directory, without its tests.
func load(dir string) (*source, error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports
	found, err := packages.Load(&packages.Config{Dir: dir, Mode: mode}, ".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: there is no package: name the directory of one", dir)
	}
	p := found[0]
	for _, e := range p.Errors {
		err = errors.Join(err, e)
	}
	if err != nil {
		return nil, fmt.Errorf("%s must compile before it can be broken: %w", dir, err)
	}
	s := &source{fset: p.Fset, files: p.Syntax, texts: map[*ast.File][]byte{}, info: p.TypesInfo, types: p.Types}
	for _, f := range s.files {
		if s.texts[f], err = os.ReadFile(s.path(f)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *source) path(f *ast.File) string { return s.fset.Position(f.Package).Filename }

// function is one function of a package, to be broken.
type function struct {
	*source
	file  *ast.File
	decl  *ast.FuncDecl
	yield func(edits ...edit) // makes a mutant
}

// name is the function's, after its receiver's type.
func (f *function) name() string {
	if f.decl.Recv == nil {
		return f.decl.Name.Name
	}
	of := f.decl.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	return f.text(of) + "." + f.decl.Name.Name
}

// text is a node as it is written.
func (f *function) text(n ast.Node) string { return string(f.between(n.Pos(), n.End())) }

func (f *function) between(from, to token.Pos) []byte {
	return f.texts[f.file][f.offset(from):f.offset(to)]
}

func (f *function) offset(at token.Pos) int { return f.fset.Position(at).Offset }

// edit is a text that replaces another one.
type edit struct {
	from, to token.Pos
	text     string
}

func instead(n ast.Node, text string) edit  { return edit{n.Pos(), n.End(), text} }
func before(at token.Pos, text string) edit { return edit{at, at, text} }

// unreached is an edit that leaves a statement in the text, but for nobody to come to.
func (f *function) unreached(s ast.Stmt) edit { return instead(s, "if false { "+f.text(s)+" }") }

// always and never are edits of a condition.
func (f *function) always(e ast.Expr) edit { return instead(e, "(true || "+f.text(e)+")") }
func (f *function) never(e ast.Expr) edit  { return instead(e, "(false && "+f.text(e)+")") }

// edited is the text of the function's file after the edits, which do not overlap.
func (f *function) edited(edits []edit) string {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return int(a.from - b.from) })
	var text []byte
	at := f.file.FileStart
	for _, e := range edits {
		text = append(append(text, f.between(at, e.from)...), e.text...)
		at = e.to
	}
	return string(append(text, f.texts[f.file][f.offset(at):]...))
}

// place is where a mutant begins to differ.
func (f *function) place(edits []edit) string {
	first := slices.MinFunc(edits, func(a, b edit) int { return int(a.from - b.from) })
	at := f.fset.Position(first.from)
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}
