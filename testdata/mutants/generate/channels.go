package generate

import (
	"go/ast"
	"go/types"
)

func unbuffer(f *function) {
	each(f, func(call *ast.CallExpr) {
		if _, isChannel := f.info.TypeOf(call).(*types.Chan); isChannel && f.text(call.Fun) == "make" && len(call.Args) == 2 {
			f.yield(edit{call.Args[0].End(), call.Args[1].End(), ""})
		}
	})
}

// clauses are the cases of a select: the one that sends, if any, and the default, if any.
func clauses(s *ast.SelectStmt) (send *ast.SendStmt, otherwise *ast.CommClause) {
	for _, c := range s.Body.List {
		clause := c.(*ast.CommClause)
		if clause.Comm == nil {
			otherwise = clause
		} else if sends, ok := clause.Comm.(*ast.SendStmt); ok {
			send = sends
		}
	}
	return send, otherwise
}

func blockSends(f *function) {
	each(f, func(s *ast.SelectStmt) {
		if send, otherwise := clauses(s); send != nil && otherwise != nil {
			f.yield(instead(otherwise, ""))
		}
	})
}

// closeForSend closes the channel and leaves nothing of the select around the send.
func closeForSend(f *function) {
	each(f, func(s *ast.SelectStmt) {
		if send, _ := clauses(s); send != nil {
			f.yield(instead(s, "close("+f.text(send.Chan)+")"))
		}
	})
}

func dropCases(f *function) {
	each(f, func(s *ast.SelectStmt) {
		for _, c := range s.Body.List {
			if c.(*ast.CommClause).Comm != nil {
				f.yield(instead(c, ""))
			}
		}
	})
}

// waitFirst moves the select at the end of a loop to its beginning.
func waitFirst(f *function) {
	each(f, func(s *ast.ForStmt) {
		list := s.Body.List
		if len(list) < 2 {
			return
		}
		last, ok := list[len(list)-1].(*ast.SelectStmt)
		if _, otherwise := selectOf(last); ok && otherwise == nil {
			f.yield(before(list[0].Pos(), f.text(last)+"\n"), instead(last, ""))
		}
	})
}

func selectOf(s *ast.SelectStmt) (*ast.SendStmt, *ast.CommClause) {
	if s == nil {
		return nil, nil
	}
	return clauses(s)
}

// joinGoroutines calls what a go statement, or the Go of a WaitGroup, starts.
func joinGoroutines(f *function) {
	each(f, func(s *ast.GoStmt) { f.yield(instead(s, f.text(s.Call))) })
	f.eachCall(func(s ast.Stmt, call *ast.CallExpr) {
		if f.packageOf(call) == "sync" && f.called(call).Name() == "Go" {
			f.yield(instead(s, f.text(call.Args[0])+"()"))
		}
	})
}

func dropJoins(f *function) {
	f.eachCall(func(s ast.Stmt, call *ast.CallExpr) {
		if f.packageOf(call) == "sync" && f.called(call).Name() == "Wait" {
			f.yield(f.unreached(s))
		}
	})
}
