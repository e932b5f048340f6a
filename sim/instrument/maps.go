package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// sharedMap tells whether an expression is a map that others may reach.
func (r *rewriter) sharedMap(e ast.Expr) bool {
	if _, ok := coreType(r.typeOf(e)).(*types.Map); !ok || r.target.info.Types[e].IsType() {
		return false
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return true
	}
	v, ok := r.target.info.Uses[id].(*types.Var)
	return !ok || !r.prog.facts.private[v]
}

// mapIndex rewrites the read or the write of a map element. MapRead and MapWrite are the point and return the map; when
// the key has points of its own, the access must have its point after them, and becomes a call of Get.
func (r *rewriter) mapIndex(x *ast.IndexExpr) {
	if !r.sharedMap(x.X) || r.is(x, setLater) {
		return
	}
	r.hooked[x] = true
	switch {
	case r.is(x, assigned):
		r.wrap(x.X, r.hook+".MapWrite(", ", "+r.site(x)+")")
	case r.isQuiet(x.Index):
		r.wrap(x.X, r.hook+".MapRead(", ", "+r.site(x)+")")
	default:
		name := ").Get("
		if r.is(x, twoWay) {
			name = ").Get2("
		}
		r.before(x, r.hook+".In(")
		r.replace(x.X.End(), x.Lbrack+1, ", "+r.site(x)+name)
		r.replace(x.Rbrack, x.Rbrack+1, ")")
	}
}

// isQuiet tells whether an expression is evaluated without a point: it calls nothing but builtins, receives nothing and
// reads no shared map.
func (r *rewriter) isQuiet(e ast.Expr) bool {
	quiet := r.callsNothing(e)
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IndexExpr:
			quiet = quiet && !r.sharedMap(n.X)
		}
		return quiet
	})
	return quiet
}

// callsNothing tells whether an expression calls nothing but builtins and receives nothing.
func (r *rewriter) callsNothing(e ast.Expr) bool {
	nothing := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			nothing = nothing && r.isQuietCall(n)
		case *ast.UnaryExpr:
			nothing = nothing && n.Op != token.ARROW
		}
		return nothing
	})
	return nothing
}

func (r *rewriter) isQuietCall(c *ast.CallExpr) bool {
	tv := r.target.info.Types[ast.Unparen(c.Fun)]
	if tv.IsBuiltin() && len(c.Args) > 0 {
		return !r.sharedMap(c.Args[0])
	}
	return tv.IsBuiltin() || tv.IsType()
}

// markAssign marks two-valued forms and map elements that are assigned to. A single assignment with points in its key
// or its value becomes a call of Set, so that the write has its point after them.
func (r *rewriter) markAssign(a *ast.AssignStmt) {
	if len(a.Lhs) == 2 && len(a.Rhs) == 1 {
		r.marks[ast.Unparen(a.Rhs[0])] |= twoWay
		if !isBlank(a.Lhs[1]) {
			r.checkOK(a, a.Rhs[0], a.Lhs[1])
		}
	}
	if a.Tok == token.DEFINE {
		return
	}
	for _, left := range a.Lhs {
		r.marks[ast.Unparen(left)] |= assigned
	}
	if x, ok := a.Lhs[0].(*ast.IndexExpr); ok && r.isSet(a, x) {
		r.marks[x] |= setLater
	}
}

// checkOK refuses a second result of another type than bool in a two-valued form that becomes a call.
func (r *rewriter) checkOK(n ast.Node, value, ok ast.Expr) {
	switch x := ast.Unparen(value).(type) {
	case *ast.UnaryExpr:
	case *ast.IndexExpr:
		if r.isQuiet(x.Index) {
			return
		}
	default:
		return
	}
	if !types.AssignableTo(types.Typ[types.Bool], r.typeOf(ok)) {
		r.unsupported(n, "a second result of a type other than bool", "assign it to a bool first")
	}
}

func (r *rewriter) isSet(a *ast.AssignStmt, x *ast.IndexExpr) bool {
	return a.Tok == token.ASSIGN && len(a.Lhs) == 1 && !r.is(a, inSelect) && r.sharedMap(x.X) &&
		!(r.isQuiet(x.Index) && r.isQuiet(a.Rhs[0]))
}

// mapAssign rewrites m[f()] = g() to In(m, site).Set(f(), g()).
func (r *rewriter) mapAssign(a *ast.AssignStmt) {
	x, ok := a.Lhs[0].(*ast.IndexExpr)
	if !ok || !r.is(x, setLater) {
		return
	}
	r.hooked[a] = true
	r.before(x, r.hook+".In(")
	r.replace(x.X.End(), x.Lbrack+1, ", "+r.site(a)+").Set(")
	r.replace(x.Rbrack, a.TokPos+1, ",")
	r.after(a.Rhs[0], ")")
}
