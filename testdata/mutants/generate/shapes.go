package generate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// each calls visit with every node of a type in the function's body.
func each[N ast.Node](f *function, visit func(N)) { eachBelow(f.decl.Body, visit) }

func eachBelow[N ast.Node](n ast.Node, visit func(N)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n, ok := n.(N); ok {
			visit(n)
		}
		return true
	})
}

// eachList calls visit with every list of statements.
func (f *function) eachList(visit func([]ast.Stmt)) {
	each(f, func(n *ast.BlockStmt) { visit(n.List) })
	each(f, func(n *ast.CaseClause) { visit(n.Body) })
	each(f, func(n *ast.CommClause) { visit(n.Body) })
}

// called is the function that a call is of, or nil.
func (f *function) called(call *ast.CallExpr) *types.Func {
	at := ast.Unparen(call.Fun)
	if generic, ok := at.(*ast.IndexExpr); ok {
		at = generic.X
	}
	var name *ast.Ident
	switch at := at.(type) {
	case *ast.Ident:
		name = at
	case *ast.SelectorExpr:
		name = at.Sel
	}
	if name == nil {
		return nil
	}
	called, _ := f.info.Uses[name].(*types.Func)
	return called
}

// packageOf is the path of the package that has the called function, or "".
func (f *function) packageOf(call *ast.CallExpr) string {
	if called := f.called(call); called != nil && called.Pkg() != nil {
		return called.Pkg().Path()
	}
	return ""
}

// statementCall is the call that a statement is, at once or deferred, or nil.
func statementCall(s ast.Stmt) *ast.CallExpr {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ := s.X.(*ast.CallExpr)
		return call
	case *ast.DeferStmt:
		return s.Call
	}
	return nil
}

// eachCall calls visit with every statement that is a call.
func (f *function) eachCall(visit func(ast.Stmt, *ast.CallExpr)) {
	each(f, func(s ast.Stmt) {
		if call := statementCall(s); call != nil {
			visit(s, call)
		}
	})
}

// eachComparison calls visit with every == and !=.
func (f *function) eachComparison(visit func(*ast.BinaryExpr)) {
	each(f, func(e *ast.BinaryExpr) {
		if e.Op == token.EQL || e.Op == token.NEQ {
			visit(e)
		}
	})
}

// skip makes the mutant in which a comparison finds nothing wrong: what must be equal is, and what must differ does not.
func (f *function) skip(e *ast.BinaryExpr) {
	if e.Op == token.EQL {
		f.yield(f.always(e))
	} else {
		f.yield(f.never(e))
	}
}

// isNamed says whether an expression's type is the named one, as "path.Name".
func (f *function) isNamed(e ast.Expr, name string) bool {
	named, ok := types.Unalias(f.info.TypeOf(e)).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path()+"."+named.Obj().Name() == name
}

func (f *function) isError(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

func (f *function) isNil(e ast.Expr) bool { return f.info.Types[e].IsNil() }
