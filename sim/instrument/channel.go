package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// send rewrites ch <- v to To(ch, site).Send(v).
func (r *rewriter) send(s *ast.SendStmt) {
	if r.is(s, inSelect) {
		return
	}
	r.hooked[s] = true
	r.before(s, r.hook+".To(")
	r.replace(s.Chan.End(), s.Value.Pos(), ", "+r.site(s)+").Send(")
	r.after(s, ")")
}

// receive rewrites <-ch to Recv(ch, site), and in the two-valued form to Recv2.
func (r *rewriter) receive(u *ast.UnaryExpr) {
	if u.Op != token.ARROW || r.is(u, inSelect) {
		return
	}
	name := ".Recv("
	if r.is(u, twoWay) {
		name = ".Recv2("
	}
	r.hooked[u] = true
	r.replace(u.OpPos, u.OpPos+2, r.hook+name)
	r.after(u, ", "+r.site(u)+")")
}

// rangeChan rewrites the head of a loop over a channel: for v, it := RangeChan(ch, site); it.Next(&v); {
func (r *rewriter) rangeChan(loop *ast.RangeStmt) {
	vars := []ast.Expr{loop.Key}
	r.rangeHead(loop, "RangeChan", vars, []string{".V"})
}

// rangeHead rewrites the head of a range loop to that of a three-part loop. A loop that declares its variables declares
// them here too; a loop that assigns does so at the start of the body.
func (r *rewriter) rangeHead(loop *ast.RangeStmt, hook string, vars []ast.Expr, fields []string) {
	r.hooked[loop] = true
	it := r.names.temp()
	site := r.siteOf(loop, oneLine(string(r.src.text[r.offset(loop.For):r.offset(loop.X.End())])))
	head, next, body := "for ", "", ""
	for i, v := range vars {
		name, arg := "_", "nil"
		switch {
		case isBlank(v):
		case loop.Tok == token.DEFINE:
			name = r.take(v)
			arg = "&" + name
		default:
			body += " " + r.take(v) + " = " + it + fields[i] + ";"
		}
		head += name + ", "
		next += ", " + arg
	}
	r.replace(loop.For, loop.X.Pos(), head+it+" := "+r.hook+"."+hook+"(")
	r.after(loop.X, ", "+site+"); "+it+".Next("+next[2:]+");")
	if body != "" {
		r.insertInBody(loop.Body, body)
	}
}

// insertInBody puts text right behind an opening brace.
func (r *rewriter) insertInBody(body *ast.BlockStmt, text string) {
	r.edits.after(r.offset(body.Lbrace)+1, text)
}

func isBlank(e ast.Expr) bool {
	if e == nil {
		return true
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

// markRange marks map elements that a loop assigns to.
func (r *rewriter) markRange(loop *ast.RangeStmt) {
	for _, e := range []ast.Expr{loop.Key, loop.Value} {
		if e != nil && loop.Tok == token.ASSIGN {
			r.marks[ast.Unparen(e)] |= assigned
		}
	}
}

func (r *rewriter) rangeStmt(loop *ast.RangeStmt) {
	switch coreType(r.typeOf(loop.X)).(type) {
	case *types.Chan:
		r.rangeChan(loop)
	case *types.Map:
		r.rangeHead(loop, "RangeMap", []ast.Expr{loop.Key, loop.Value}, []string{".K", ".V"})
	}
}

// coreType is the underlying type; for a type parameter the one that all types of its set share, if there is one. Channels
// share theirs whatever their directions.
func coreType(t types.Type) types.Type {
	param, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return t.Underlying()
	}
	set := typeSet(param.Constraint())
	for _, other := range set {
		if !isSameKind(set[0], other) {
			return t.Underlying()
		}
	}
	if len(set) == 0 {
		return t.Underlying()
	}
	return set[0]
}

// typeSet lists the underlying types that a constraint names, however deep.
func typeSet(constraint types.Type) (set []types.Type) {
	switch t := constraint.Underlying().(type) {
	case *types.Interface:
		for embedded := range t.EmbeddedTypes() {
			set = append(set, typeSet(embedded)...)
		}
	case *types.Union:
		for term := range t.Terms() {
			set = append(set, typeSet(term.Type())...)
		}
	default:
		set = append(set, t)
	}
	return set
}

func isSameKind(a, b types.Type) bool {
	x, isChan := a.(*types.Chan)
	y, areChans := b.(*types.Chan)
	if isChan && areChans {
		return types.Identical(x.Elem(), y.Elem())
	}
	return types.Identical(a, b)
}
