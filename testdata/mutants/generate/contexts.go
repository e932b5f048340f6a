package generate

import (
	"go/ast"
	"go/types"
	"strings"
)

// derivation is a statement that makes a context from another one.
type derivation struct {
	statement     *ast.AssignStmt
	child, parent *ast.Ident
}

func (f *function) derivations() (all []derivation) {
	each(f, func(s *ast.AssignStmt) {
		call, ok := s.Rhs[0].(*ast.CallExpr)
		if !ok || f.packageOf(call) != "context" || !strings.HasPrefix(f.called(call).Name(), "With") {
			return
		}
		child, isName := s.Lhs[0].(*ast.Ident)
		parent, fromName := call.Args[0].(*ast.Ident)
		if isName && fromName {
			all = append(all, derivation{s, child, parent})
		}
	})
	return all
}

func unboundContexts(f *function) {
	for _, d := range f.derivations() {
		f.yield(instead(d.statement.Rhs[0], d.parent.Name+", func() {}"))
	}
}

// endContexts calls the cancel function that was to be deferred.
func endContexts(f *function) {
	each(f, func(s *ast.DeferStmt) {
		if f.isNamed(s.Call.Fun, "context.CancelFunc") {
			f.yield(instead(s, f.text(s.Call)))
		}
	})
}

// detachContexts has a function forget the context that it is given.
func detachContexts(f *function) {
	for _, field := range f.decl.Type.Params.List {
		if f.isNamed(field.Type, "context.Context") && len(field.Names) > 0 && field.Names[0].Name != "_" {
			f.yield(before(f.decl.Body.Lbrace+1, " "+field.Names[0].Name+" = context.Background(); "))
		}
	}
}

// reuseContexts uses a derived context where its parent is used later.
func reuseContexts(f *function) {
	for _, d := range f.derivations() {
		parent := f.info.ObjectOf(d.parent)
		if parent == f.info.ObjectOf(d.child) {
			continue
		}
		each(f, func(use *ast.Ident) {
			if use.Pos() > d.statement.End() && f.info.Uses[use] == types.Object(parent) {
				f.yield(instead(use, d.child.Name))
			}
		})
	}
}

// ignoreStops drops every look at the error of a context.
func ignoreStops(f *function) {
	f.eachComparison(func(e *ast.BinaryExpr) {
		if call, ok := e.X.(*ast.CallExpr); ok && f.packageOf(call) == "context" && f.called(call).Name() == "Err" {
			f.skip(e)
		}
	})
}
