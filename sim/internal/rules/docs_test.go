package rules

import (
	"go/ast"
	"go/token"
	"path"
)

// docs checks that every package and every exported name says what it is.
func docs(t *tree) []breach {
	var breaches []breach
	first := map[string]*file{} // by directory
	documented := map[string]bool{}
	for _, f := range t.parsed() {
		if f.isTest() || f.isInput() {
			continue
		}
		dir := path.Dir(f.path)
		if first[dir] == nil {
			first[dir] = f
		}
		documented[dir] = documented[dir] || f.syntax.Doc.Text() != ""
		for _, decl := range f.syntax.Decls {
			breaches = append(breaches, t.undocumented(decl)...)
		}
	}
	for _, f := range t.parsed() {
		if dir := path.Dir(f.path); first[dir] == f && !documented[dir] {
			breaches = append(breaches, t.at(f.syntax.Package, "package %s has no doc comment; write doc.go", f.syntax.Name))
		}
	}
	return breaches
}

// undocumented returns the exported names of a declaration that have no comment.
func (t *tree) undocumented(decl ast.Decl) []breach {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Name.IsExported() && ofExported(decl.Recv) && !says(decl.Doc) {
			return t.silent(decl.Name)
		}
	case *ast.GenDecl:
		var breaches []breach
		for _, spec := range decl.Specs {
			breaches = append(breaches, t.undocumentedSpec(decl, spec)...)
		}
		return breaches
	}
	return nil
}

// undocumentedSpec is undocumented for one line of a declaration. The comment of a group stands for all its constants or
// variables, but each type needs its own.
func (t *tree) undocumentedSpec(decl *ast.GenDecl, spec ast.Spec) []breach {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() && !says(spec.Doc, spec.Comment) && (decl.Lparen != token.NoPos || !says(decl.Doc)) {
			return t.silent(spec.Name)
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.IsExported() && !says(decl.Doc, spec.Doc, spec.Comment) {
				return t.silent(name)
			}
		}
	}
	return nil
}

// silent is the breach of a name without a comment.
func (t *tree) silent(name *ast.Ident) []breach {
	return []breach{t.at(name.Pos(), "%s is exported and has no doc comment; state its contract", name.Name)}
}

// says whether a comment has words; a directive such as go:norace has none.
func says(comments ...*ast.CommentGroup) bool {
	for _, c := range comments {
		if c.Text() != "" {
			return true
		}
	}
	return false
}

// ofExported says whether a receiver's type is exported. A function, which has none, counts as well.
func ofExported(recv *ast.FieldList) bool {
	if recv == nil || len(recv.List) == 0 {
		return true
	}
	expr := recv.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		default:
			name, ok := e.(*ast.Ident)
			return ok && name.IsExported()
		}
	}
}

var docsProbes = []probe{
	{
		files: map[string]string{
			"sim/a.go":             "// Package sim is.\npackage sim\n\nfunc F() {}\n\n//go:norace\nfunc G() {}\n\n// H does.\nfunc H() {}\n\nfunc i() {}\n",
			"sim/b.go":             "package sim\n\ntype T[K any] int\n\nfunc (t *T[K]) M() {}\n\ntype t int\n\nfunc (t) M() {}\n",
			"sim/c.go":             "package sim\n\n// Group.\nconst (\n\tA = 1\n\tB = 2\n)\n\nvar (\n\tC, d = 1, 2\n\tE = 3 // E is.\n\tf = 4\n)\n",
			"sim/d.go":             "package sim\n\n// Group.\ntype (\n\tU int\n\t// V is.\n\tV int\n)\n\n// W is.\ntype W int\n",
			"sim/a_test.go":        "package sim\n\nfunc X() {}\n",
			"sim/testdata/in/a.go": "package in\n\nfunc X() {}\n",
			"sim/hook/a.go":        "package hook\n",
			"sim/hook/b.go":        "//go:build race\n\npackage hook\n",
			"sim/tape/a_test.go":   "package tape\n",
			"sim/tape/b.go":        "package tape\n",
			"sim/tape/doc.go":      "// Package tape is.\npackage tape\n",
		},
		want: []string{"sim/a.go:4", "sim/a.go:7", "sim/b.go:3", "sim/b.go:5", "sim/c.go:10", "sim/d.go:5", "sim/hook/a.go:1"},
	},
}
