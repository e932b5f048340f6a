package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// tupleAssign rewrites m[k], err = f() to { snap1, snap2 := f(); MapWrite(m, site)[k], err = snap1, snap2 }, so that the
// write has its point after those of f. In the head of an if, where no block may stand, it is a function literal.
func (r *rewriter) tupleAssign(a *ast.AssignStmt) {
	if !r.isTuple(a) {
		return
	}
	inner := r.spliceAt(a.Pos())
	opening, closing := "{ ", " }"
	if !inList(r.parent(0), a) {
		opening, closing = "func() { ", " }()"
	}
	inner.add(opening)
	for _, e := range a.Rhs {
		if r.isQuiet(e) {
			continue
		}
		count := 1
		if len(a.Rhs) == 1 {
			count = len(a.Lhs)
		}
		names := r.names.several(count)
		inner.add(joined(names), " := ")
		inner.move(e)
		inner.add("; ")
		r.replace(e.Pos(), e.End(), joined(names))
	}
	inner.at(a.Pos())
	r.before(a, inner.text.String())
	r.after(a, closing)
}

// isTuple tells whether an assignment writes to shared maps among others, has points on its right side and none on the
// left that would have to come first.
func (r *rewriter) isTuple(a *ast.AssignStmt) bool {
	if a.Tok != token.ASSIGN || len(a.Lhs) < 2 || r.is(a, inSelect) {
		return false
	}
	writes := false
	for _, left := range a.Lhs {
		if !r.callsNothing(left) {
			return false
		}
		x, ok := ast.Unparen(left).(*ast.IndexExpr)
		writes = writes || ok && r.sharedMap(x.X)
	}
	quiet := true
	for i, e := range a.Rhs {
		quiet = quiet && r.isQuiet(e)
		if !r.keepsType(e, a.Lhs[i:]) {
			return false
		}
	}
	return writes && !quiet
}

// keepsType tells whether the value of an expression can be held by a variable on its way to where it is assigned. That
// of a comparison, and the second one of a two-valued form, are bool there, and a named bool here.
func (r *rewriter) keepsType(e ast.Expr, to []ast.Expr) bool {
	if _, isCall := ast.Unparen(e).(*ast.CallExpr); isCall || r.isQuiet(e) {
		return true
	}
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op == token.SHL {
		return false // of a constant it has the type that it is assigned to
	}
	for _, left := range to {
		basic, ok := r.typeOf(left).Underlying().(*types.Basic)
		if ok && basic.Info()&types.IsBoolean != 0 && !isBlank(left) && r.typeOf(left) != types.Typ[types.Bool] {
			return false
		}
	}
	return true
}
