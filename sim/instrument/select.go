package instrument

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// markComm marks the operation of a select case, which the select itself rewrites.
func (r *rewriter) markComm(clause *ast.CommClause) {
	switch comm := clause.Comm.(type) {
	case *ast.SendStmt:
		r.marks[comm] |= inSelect
	case *ast.ExprStmt:
		r.marks[ast.Unparen(comm.X)] |= inSelect
	case *ast.AssignStmt:
		r.marks[comm] |= inSelect
		r.marks[ast.Unparen(comm.Rhs[0])] |= inSelect
	}
}

// selectStmt rewrites a select to a switch over the index of the case that happened:
//
//	switch c0, c1 := RecvFrom(ch), To(ch2, nil).Case(v); Select(site, false, c0, c1) {
//	case 0: v := c0.V; …
//	default: …
//
// Without a default the last clause becomes one, so that a function may still end in the statement. The channels and
// the values to send move up to the head, where the language evaluates them.
func (r *rewriter) selectStmt(s *ast.SelectStmt) {
	r.hooked[s] = true
	if len(s.Body.List) == 0 {
		r.replace(s.Select, s.Select+token.Pos(len("select")), "for")
		r.insertInBody(s.Body, " "+r.hook+".Block("+r.site(s)+") ")
		return
	}
	head := r.spliceAt(s.Select)
	head.add("switch ")
	site := r.siteOf(s, r.selectOp(s))
	cases, hasDefault := r.selectCases(s, head)
	head.at(s.Select)
	args := append([]string{site, strconv.FormatBool(hasDefault)}, cases...)
	head.add(r.hook, ".Select(", joined(args), ") ")
	r.replace(s.Select, s.Body.Lbrace, head.text.String())
}

// selectCases moves the operations into the head and rewrites the clauses.
func (r *rewriter) selectCases(s *ast.SelectStmt, head *splice) (cases []string, hasDefault bool) {
	clauses := commClauses(s)
	for _, clause := range clauses {
		if clause.Comm == nil {
			hasDefault = true
			continue
		}
		cases = append(cases, r.names.temp())
	}
	if len(cases) > 0 {
		head.add(joined(cases), " := ")
	}
	index := 0
	for i, clause := range clauses {
		if clause.Comm == nil {
			continue
		}
		if index > 0 {
			head.add(", ")
		}
		label := "case " + strconv.Itoa(index)
		if !hasDefault && i == len(clauses)-1 {
			label = "default"
		}
		r.moveComm(clause.Comm, head)
		r.clauseHead(clause, label, cases[index])
		index++
	}
	if len(cases) > 0 {
		head.add("; ")
	}
	return cases, hasDefault
}

func commClauses(s *ast.SelectStmt) []*ast.CommClause {
	clauses := make([]*ast.CommClause, len(s.Body.List))
	for i, stmt := range s.Body.List {
		clauses[i] = stmt.(*ast.CommClause)
	}
	return clauses
}

// moveComm appends the value that stands for a case: RecvFrom(ch) or To(ch, nil).Case(v).
func (r *rewriter) moveComm(comm ast.Stmt, head *splice) {
	if send, ok := comm.(*ast.SendStmt); ok {
		head.add(r.hook, ".To(")
		head.move(send.Chan)
		head.add(", nil).Case(")
		head.move(send.Value)
		head.add(")")
		return
	}
	head.add(r.hook, ".RecvFrom(")
	head.move(receiveOf(comm).X)
	head.add(")")
}

// receiveOf is the <-ch of a receiving case.
func receiveOf(comm ast.Stmt) *ast.UnaryExpr {
	var x ast.Expr
	switch comm := comm.(type) {
	case *ast.ExprStmt:
		x = comm.X
	case *ast.AssignStmt:
		x = comm.Rhs[0]
	}
	return ast.Unparen(x).(*ast.UnaryExpr)
}

// clauseHead rewrites "case v, ok := <-ch:" to "case 0: v, ok := c0.V, c0.OK;".
func (r *rewriter) clauseHead(clause *ast.CommClause, label, name string) {
	head := r.spliceAt(clause.Case)
	head.add(label, ":")
	if assign, ok := clause.Comm.(*ast.AssignStmt); ok {
		values := []string{name + ".V", name + ".OK"}
		head.add(" ")
		for i, left := range assign.Lhs {
			if i > 0 {
				head.add(", ")
			}
			head.move(left)
		}
		head.add(" ", assign.Tok.String(), " ", joined(values[:len(assign.Lhs)]), ";")
	}
	r.replace(clause.Case, clause.Colon+1, head.text.String())
}

// selectOp tells the cases of a select, without their bodies.
func (r *rewriter) selectOp(s *ast.SelectStmt) string {
	var heads []string
	for _, clause := range commClauses(s) {
		if clause.Comm == nil {
			heads = append(heads, "default")
			continue
		}
		heads = append(heads, "case "+r.sourceOf(clause.Comm))
	}
	return oneLine("select { " + strings.Join(heads, "; ") + " }")
}
