package generate

import "go/ast"

// swapWrites swaps two neighbouring statements that are guarded by the same condition and call what may fail.
func swapWrites(f *function) {
	f.eachList(func(list []ast.Stmt) {
		for i := range len(list) - 1 {
			first, ok := list[i].(*ast.IfStmt)
			second, also := list[i+1].(*ast.IfStmt)
			if ok && also && f.text(first.Cond) == f.text(second.Cond) && f.assignsError(first) && f.assignsError(second) {
				f.yield(instead(first, f.text(second)), instead(second, f.text(first)))
			}
		}
	})
}

// assignsError says whether a block has an error from somewhere else.
func (f *function) assignsError(s *ast.IfStmt) (does bool) {
	eachBelow(s.Body, func(a *ast.AssignStmt) { does = does || f.isError(a.Lhs[len(a.Lhs)-1]) })
	return does
}

func dropQueueCalls(f *function) {
	f.eachCall(func(s ast.Stmt, call *ast.CallExpr) {
		if f.packageOf(call) == "k8s.io/client-go/util/workqueue" {
			f.yield(f.unreached(s))
		}
	})
}

func dropCalls(f *function) {
	f.eachCall(func(s ast.Stmt, call *ast.CallExpr) {
		if f.packageOf(call) == f.types.Path() {
			f.yield(f.unreached(s))
		}
	})
}
