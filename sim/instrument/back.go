package instrument

import (
	"go/ast"
	"go/types"
	"strconv"
)

// foreign tells whether a function is declared in a foreign package.
func (r *rewriter) foreign(fn *types.Func) bool {
	return fn.Pkg() != nil && r.prog.isForeign(fn.Pkg().Path())
}

// comeBack lets a task return under the scheduler after a call of foreign code, which may have blocked.
func (r *rewriter) comeBack(c *ast.CallExpr, fn *types.Func) {
	if !r.foreign(fn) || r.is(c, started) {
		return
	}
	switch count := fn.Signature().Results().Len(); {
	case count == 0:
		stmt, ok := r.parent(0).(*ast.ExprStmt)
		if ok && inList(r.parent(1), stmt) {
			r.after(stmt, "; "+r.hook+".Back()")
		}
	case count <= 3:
		r.wrap(c, r.hook+".Back"+strconv.Itoa(count)+"(", ")")
	}
}

// inList tells whether a statement stands in a list of statements of its parent, so that another may follow it.
func inList(parent ast.Node, stmt ast.Stmt) bool {
	switch parent := parent.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.LabeledStmt:
		return true
	case *ast.CommClause:
		return parent.Comm != stmt
	}
	return false
}

// markCallback marks the function literals in an argument of a foreign call, and in the fields of such an argument.
func (r *rewriter) markCallback(e ast.Expr) {
	switch e := e.(type) {
	case *ast.FuncLit:
		r.marks[e] |= atBack
	case *ast.ParenExpr:
		r.markCallback(e.X)
	case *ast.UnaryExpr:
		r.markCallback(e.X)
	case *ast.KeyValueExpr:
		r.markCallback(e.Value)
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			r.markCallback(element)
		}
	case *ast.CallExpr:
		if r.target.info.Types[e.Fun].IsType() {
			for _, arg := range e.Args {
				r.markCallback(arg)
			}
		}
	}
}

// markForeignLiteral marks the function literals in a value of a foreign type, such as cache.ResourceEventHandlerFuncs.
func (r *rewriter) markForeignLiteral(literal *ast.CompositeLit) {
	named, ok := types.Unalias(pointee(r.typeOf(literal))).(*types.Named)
	if ok && named.Obj().Pkg() != nil && r.prog.isForeign(named.Obj().Pkg().Path()) {
		r.markCallback(literal)
	}
}

// literal lets a function literal that foreign code calls begin under the scheduler.
func (r *rewriter) literal(f *ast.FuncLit) {
	if r.is(f, atBack) {
		r.insertInBody(f.Body, " "+r.hook+".Back();")
	}
}
