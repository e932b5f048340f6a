package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// goStmt rewrites go f(x) so that the function value and the arguments are evaluated here and the call happens in a new
// task: { snap1 := x; Go(func() { f(snap1) }, site) }. The call stays where it is, with names for its operands.
func (r *rewriter) goStmt(g *ast.GoStmt) {
	r.hooked[g] = true
	site := r.site(g)
	call := g.Call
	if r.is(call, asValue) || isPlainLiteral(call) {
		r.replace(g.Go, call.Pos(), r.hook+".Go(")
		r.replace(call.Lparen, call.End(), ", "+site+")")
		return
	}
	r.lateOperand(call)
	head := r.spliceAt(g.Go)
	closing := " }, " + site + ")"
	if r.holdOperands(call, head) {
		closing += " }"
	}
	r.lateBuiltin(call)
	head.add(r.hook, ".Go(func() { ")
	r.replace(g.Go, call.Pos(), head.text.String())
	r.after(call, closing)
}

// deferStmt rewrites defer delete(m, k), whose point must come when it runs, to
// { snap1 := m; defer func() { delete(MapWrite(snap1, site), k) }() }.
func (r *rewriter) deferStmt(d *ast.DeferStmt) {
	if r.builtinOf(d.Call) == "" || len(d.Call.Args) == 0 || !r.sharedMap(d.Call.Args[0]) {
		return
	}
	head := r.spliceAt(d.Defer)
	r.holdOperands(d.Call, head)
	r.lateBuiltin(d.Call)
	head.add("defer func() { ")
	r.replace(d.Defer, d.Call.Pos(), head.text.String())
	r.after(d.Call, " }() }")
}

// lateBuiltin gives a delete or clear behind go or defer its point.
func (r *rewriter) lateBuiltin(call *ast.CallExpr) {
	if builtin := r.builtinOf(call); builtin != "" && len(call.Args) > 0 && r.sharedMap(call.Args[0]) {
		r.mapBuiltin(call, builtin)
	}
}

// isPlainLiteral tells whether a call is of a func() literal.
func isPlainLiteral(call *ast.CallExpr) bool {
	literal, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	return ok && literal.Type.Params.NumFields() == 0 && literal.Type.Results.NumFields() == 0
}

// holdOperands declares variables for the operands of a call that must be evaluated before it starts.
func (r *rewriter) holdOperands(call *ast.CallExpr, head *splice) bool {
	held := false
	hold := func(e ast.Expr, count int) {
		names := r.names.several(count)
		if !held {
			head.add("{ ")
		}
		held = true
		head.add(joined(names), " := ")
		if name := r.takenType(e); name != "" {
			head.add(name, "(")
			head.move(e)
			head.add(")")
		} else {
			head.move(e)
		}
		head.add("; ")
		r.replace(e.Pos(), e.End(), joined(names))
	}
	if !r.hooked[call] && r.isComputed(call.Fun) {
		hold(call.Fun, 1)
	}
	for _, arg := range call.Args {
		if tuple, ok := r.typeOf(arg).(*types.Tuple); ok {
			hold(arg, tuple.Len())
		} else if r.isComputed(arg) {
			hold(arg, 1)
		}
	}
	return held
}

// takenType is the name of the type that a comparison, or a shift of a constant, takes from where it stands, if that is
// not the one that it has in a variable.
func (r *rewriter) takenType(e ast.Expr) string {
	if _, ok := ast.Unparen(e).(*ast.BinaryExpr); !ok {
		return ""
	}
	switch t := r.typeOf(e).(type) {
	case *types.Basic:
		return t.Name()
	case *types.Named:
		if t.Obj().Parent() == r.target.types.Scope() && t.TypeArgs() == nil {
			return t.Obj().Name()
		}
	}
	return ""
}

// isComputed tells whether an operand has to be evaluated at once. A constant, nil, the name of a function, a function
// literal, and a variable that is never assigned to are the same later.
func (r *rewriter) isComputed(e ast.Expr) bool {
	e = ast.Unparen(e)
	tv := r.target.info.Types[e]
	if tv.Value != nil || tv.IsNil() || tv.IsType() || tv.IsBuiltin() {
		return false
	}
	name := calledName(e)
	_, isFunc := r.objectOf(name).(*types.Func)
	if name != e {
		return !isFunc // an element, or a function with type arguments
	}
	switch name := name.(type) {
	case *ast.FuncLit:
		return false
	case *ast.Ident:
		if v, ok := r.objectOf(name).(*types.Var); ok {
			return !r.isFixed(v)
		}
	case *ast.SelectorExpr:
		if selection := r.target.info.Selections[name]; selection != nil {
			return selection.Kind() == types.FieldVal || selection.Kind() == types.MethodVal && !r.isFixedMethod(name, selection)
		}
	}
	return !isFunc
}

// isFixed tells whether a local variable keeps its first value.
func (r *rewriter) isFixed(v *types.Var) bool {
	known := &r.prog.facts
	return !isGlobal(v) && !known.written[v] && !known.pointed[v]
}

// isFixedMethod tells whether x.M, where x is a pointer that stays the same, is the same later.
func (r *rewriter) isFixedMethod(sel *ast.SelectorExpr, selection *types.Selection) bool {
	id, ok := sel.X.(*ast.Ident)
	if !ok || len(selection.Index()) > 1 {
		return false
	}
	v, ok := r.objectOf(id).(*types.Var)
	_, fromPointer := selection.Recv().Underlying().(*types.Pointer)
	_, toPointer := selection.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer)
	return ok && fromPointer && toPointer && r.isFixed(v)
}

// lateOperand refuses go f().mu.TryLock() and the like: the receiver of a rewritten method is evaluated in the new task,
// which must not make a difference.
func (r *rewriter) lateOperand(call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !r.hooked[call] {
		return
	}
	ast.Inspect(sel.X, func(n ast.Node) bool {
		unary, isUnary := n.(*ast.UnaryExpr)
		if _, isCall := n.(*ast.CallExpr); isCall || isUnary && unary.Op == token.ARROW {
			r.unsupported(call, "go with a receiver that is computed", "assign it to a variable first")
			return false
		}
		return true
	})
}
