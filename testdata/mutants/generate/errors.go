package generate

import (
	"go/ast"
	"slices"
)

// ignoreErrors goes on as if there were no error, in every place but those that only log.
func ignoreErrors(f *function) {
	var logs []ast.Expr
	each(f, func(s *ast.IfStmt) {
		if f.onlyLogs(s.Body.List) {
			logs = append(logs, s.Cond)
		}
	})
	f.eachComparison(func(e *ast.BinaryExpr) {
		if f.isError(e.X) && f.isNil(e.Y) && !slices.Contains(logs, ast.Expr(e)) && !f.ofContext(e.X) {
			f.skip(e)
		}
	})
}

func (f *function) onlyLogs(list []ast.Stmt) bool {
	return !slices.ContainsFunc(list, func(s ast.Stmt) bool {
		call := statementCall(s)
		return call == nil || f.packageOf(call) != "log/slog"
	})
}

// ofContext says whether an error is that of a context, which other operators ignore.
func (f *function) ofContext(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && f.packageOf(call) == "context"
}

// swallowErrors returns nil in the place of an error that somebody else returned.
func swallowErrors(f *function) {
	each(f, func(s *ast.ReturnStmt) {
		if len(s.Results) == 0 {
			return
		}
		last := s.Results[len(s.Results)-1]
		if _, isName := last.(*ast.Ident); isName && f.isError(last) && !f.isGlobal(last) {
			f.yield(instead(last, "nil"))
		}
	})
}

// isGlobal says whether a name is of the package itself: a kind of error, which no call returned.
func (f *function) isGlobal(e ast.Expr) bool {
	return f.info.ObjectOf(e.(*ast.Ident)).Parent() == f.types.Scope() || f.isNil(e)
}

// ignoreKinds drops the question of what kind an error is.
func ignoreKinds(f *function) {
	each(f, func(call *ast.CallExpr) {
		called := f.called(call)
		if called == nil || len(call.Args) == 0 || !f.isError(call.Args[0]) {
			return
		}
		if f.packageOf(call) == "k8s.io/apimachinery/pkg/api/errors" || f.packageOf(call) == "errors" || f.packageOf(call) == f.types.Path() {
			f.yield(f.never(call))
		}
	})
}

func dropRetries(f *function) {
	each(f, func(call *ast.CallExpr) {
		if f.packageOf(call) == "k8s.io/client-go/util/retry" {
			f.yield(instead(call, "("+f.text(call.Args[len(call.Args)-1])+")()"))
		}
	})
}
