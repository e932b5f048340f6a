package schemata

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
)

// file is a source file.
type file struct {
	fset   *token.FileSet
	syntax *ast.File
	text   string
}

// parse reads a file, or takes its text from elsewhere if there is one.
func parse(path string, text *string) (*file, error) {
	if text == nil {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		text = new(string(data))
	}
	f := &file{fset: token.NewFileSet(), text: *text}
	var err error
	f.syntax, err = parser.ParseFile(f.fset, path, f.text, parser.ParseComments|parser.SkipObjectResolution)
	return f, err
}

func (f *file) offset(at token.Pos) int          { return f.fset.Position(at).Offset }
func (f *file) source(from, to token.Pos) string { return f.text[f.offset(from):f.offset(to)] }

// key is a function's name, after its receiver's type.
func key(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return decl.Name.Name
	}
	of := decl.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	return of.(*ast.Ident).Name + "." + decl.Name.Name
}

// variant is a function as a mutant has it.
type variant struct {
	number   int    // of the mutant
	function string // its key
	decl     *ast.FuncDecl
	file     *file // of the mutant
}

// name is the function's in the package that has all mutants.
func (v variant) name() string { return fmt.Sprintf("%sMutant%d", v.decl.Name.Name, v.number) }

// text is the function under that name.
func (v variant) text() string {
	name := v.decl.Name
	return v.file.source(v.decl.Pos(), name.Pos()) + v.name() + v.file.source(name.End(), v.decl.End())
}

// compare returns the functions whose bodies a mutant changes in a file. All else must be as it was.
func compare(path, changed string) ([]variant, error) {
	was, err := parse(path, nil)
	if err != nil {
		return nil, err
	}
	is, err := parse(path, &changed)
	if err != nil {
		return nil, err
	}
	if was.outside() != is.outside() {
		return nil, fmt.Errorf("%s: it changes more than bodies of functions, and needs a test binary of its own", path)
	}
	bodies := map[string]string{}
	was.functions(func(decl *ast.FuncDecl) { bodies[key(decl)] = was.source(decl.Body.Lbrace, decl.End()) })
	var all []variant
	is.functions(func(decl *ast.FuncDecl) {
		if is.source(decl.Body.Lbrace, decl.End()) != bodies[key(decl)] {
			all = append(all, variant{function: key(decl), decl: decl, file: is})
		}
	})
	if len(all) == 0 {
		return nil, errors.New(path + ": it changes nothing")
	}
	return all, nil
}

func (f *file) functions(visit func(*ast.FuncDecl)) {
	for _, d := range f.syntax.Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
			visit(decl)
		}
	}
}

// outside is the file's text but for the bodies of its functions.
func (f *file) outside() string {
	var b strings.Builder
	at := 0
	f.functions(func(decl *ast.FuncDecl) {
		b.WriteString(f.text[at:f.offset(decl.Body.Lbrace)])
		at = f.offset(decl.End())
	})
	return b.String() + f.text[at:]
}
