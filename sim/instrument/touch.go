package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// touch puts a point before a statement that touches memory which other goroutines can reach, unless the statement has
// a point already.
func (r *rewriter) touch(stmt ast.Stmt) {
	switch stmt.(type) {
	case *ast.LabeledStmt, *ast.BlockStmt:
		return
	}
	first := r.statementInList(stmt)
	if first == nil || !r.touchesShared(ownParts(stmt)) {
		return
	}
	site := r.siteOf(stmt, r.headOf(stmt))
	r.before(first, r.hook+".Touch("+site+"); ")
	if loop, ok := stmt.(*ast.ForStmt); ok && r.touchesShared([]ast.Node{loop.Cond, loop.Post}) {
		// A loop that waits for a shared variable must not spin without a point.
		r.insertInBody(loop.Body, " "+r.hook+".Touch("+site+");")
	}
}

// statementInList returns the statement with its labels if another one can stand before it, or nil.
func (r *rewriter) statementInList(stmt ast.Stmt) ast.Stmt {
	for i := 0; ; i++ {
		switch outer := r.parent(i).(type) {
		case *ast.LabeledStmt:
			stmt = outer
		case *ast.BlockStmt:
			if _, ok := stmt.(*ast.CaseClause); ok {
				return nil
			}
			if _, ok := stmt.(*ast.CommClause); ok {
				return nil
			}
			return stmt
		case *ast.CaseClause:
			return stmt
		case *ast.CommClause:
			if outer.Comm == stmt {
				return nil
			}
			return stmt
		default:
			return nil
		}
	}
}

// ownParts are the parts of a statement that run when it starts, without the statements in it.
func ownParts(stmt ast.Stmt) []ast.Node {
	switch s := stmt.(type) {
	case *ast.IfStmt:
		return []ast.Node{s.Init, s.Cond}
	case *ast.ForStmt:
		return []ast.Node{s.Init, s.Cond, s.Post}
	case *ast.RangeStmt:
		return []ast.Node{s.Key, s.Value, s.X}
	case *ast.SwitchStmt:
		return []ast.Node{s.Init, s.Tag}
	case *ast.TypeSwitchStmt:
		return []ast.Node{s.Init, s.Assign}
	case *ast.SelectStmt:
		return nil
	}
	return []ast.Node{stmt}
}

// headOf is the text of a statement's own parts.
func (r *rewriter) headOf(stmt ast.Stmt) string {
	var body *ast.BlockStmt
	switch s := stmt.(type) {
	case *ast.IfStmt:
		body = s.Body
	case *ast.ForStmt:
		body = s.Body
	case *ast.RangeStmt:
		body = s.Body
	case *ast.SwitchStmt:
		body = s.Body
	case *ast.TypeSwitchStmt:
		body = s.Body
	default:
		return r.sourceOf(stmt)
	}
	return oneLine(string(r.src.text[r.offset(stmt.Pos()):r.offset(body.Lbrace)]))
}

// touchesShared tells whether the parts reach shared memory and have no point yet.
func (r *rewriter) touchesShared(parts []ast.Node) bool {
	touches := false
	for _, part := range parts {
		if part == nil {
			continue
		}
		hooked := false
		ast.Inspect(part, func(n ast.Node) bool {
			hooked = hooked || r.hooked[n]
			touches = touches || r.reaches(n)
			if unary, ok := n.(*ast.UnaryExpr); ok && unary.Op == token.AND {
				touches = touches || r.addressReaches(unary.X)
				_, isLiteral := ast.Unparen(unary.X).(*ast.CompositeLit)
				return isLiteral
			}
			_, isLiteral := n.(*ast.FuncLit)
			return !isLiteral
		})
		if hooked {
			return false
		}
	}
	return touches
}

// addressReaches tells whether computing the address of an operand, which does not look at the operand itself, reaches
// shared memory.
func (r *rewriter) addressReaches(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if r.target.info.Selections[e] == nil {
			return false
		}
		if _, ok := e.X.(*ast.Ident); ok && r.target.info.Selections[e].Indirect() {
			return r.reaches(e.X)
		}
		return r.addressReaches(e.X)
	case *ast.IndexExpr:
		return r.touchesShared([]ast.Node{e.X, e.Index})
	case *ast.StarExpr:
		return r.touchesShared([]ast.Node{e.X})
	case *ast.Ident:
		return false
	}
	return r.touchesShared([]ast.Node{e})
}

// reaches tells whether one node, apart from its operands, is memory that other goroutines can reach.
func (r *rewriter) reaches(n ast.Node) bool {
	info := r.target.info
	switch n := n.(type) {
	case *ast.StarExpr:
		return info.Types[n].IsValue()
	case *ast.SelectorExpr:
		selection := info.Selections[n]
		return selection != nil && selection.Kind() == types.FieldVal && selection.Indirect()
	case *ast.IndexExpr:
		if !info.Types[n.X].IsValue() {
			return false
		}
		switch coreType(r.typeOf(n.X)).(type) {
		case *types.Slice, *types.Pointer:
			return true
		}
	case *ast.Ident:
		v, ok := info.Uses[n].(*types.Var)
		return ok && r.isShared(v)
	}
	return false
}

// isShared tells whether other goroutines may look at a variable while it changes.
func (r *rewriter) isShared(v *types.Var) bool {
	known := &r.prog.facts
	if v.IsField() {
		return false
	}
	if isGlobal(v) {
		return known.written[v] || known.pointed[v]
	}
	return known.captured[v] && known.written[v] || known.pointed[v]
}
