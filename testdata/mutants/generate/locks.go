package generate

import (
	"go/ast"
	"slices"
	"strings"
)

// lockOf is what a statement locks, as it is written, or "".
func (f *function) lockOf(s ast.Stmt) string { return f.receiver(s, "Lock", "RLock") }

// unlockOf is what a statement unlocks, at once or deferred.
func (f *function) unlockOf(s ast.Stmt) string { return f.receiver(s, "Unlock", "RUnlock") }

func (f *function) receiver(s ast.Stmt, methods ...string) string {
	call := statementCall(s)
	if call == nil || f.packageOf(call) != "sync" || !slices.Contains(methods, f.called(call).Name()) {
		return ""
	}
	return f.text(call.Fun.(*ast.SelectorExpr).X)
}

func unlockSections(f *function) {
	var edits []edit
	f.eachCall(func(s ast.Stmt, _ *ast.CallExpr) {
		if f.lockOf(s) != "" || f.unlockOf(s) != "" {
			edits = append(edits, f.unreached(s))
		}
	})
	if edits != nil {
		f.yield(edits...)
	}
}

func dropLocks(f *function) {
	f.eachCall(func(s ast.Stmt, _ *ast.CallExpr) {
		if f.lockOf(s) != "" {
			f.yield(f.unreached(s))
		}
	})
}

func dropUnlocks(f *function) {
	f.eachCall(func(s ast.Stmt, _ *ast.CallExpr) {
		if f.unlockOf(s) != "" {
			f.yield(f.unreached(s))
		}
	})
}

// delayLocks moves a lock behind the first statement that it protects.
func delayLocks(f *function) {
	f.eachList(func(list []ast.Stmt) {
		for i, s := range list {
			held := slices.DeleteFunc(slices.Clone(list[i+1:]), func(s ast.Stmt) bool { return f.unlockOf(s) != "" })
			if f.lockOf(s) != "" && len(held) > 0 {
				f.yield(instead(s, ""), before(held[0].End(), "; "+f.text(s)))
			}
		}
	})
}

func delayUnlocks(f *function) {
	f.eachCall(func(s ast.Stmt, _ *ast.CallExpr) {
		if _, deferred := s.(*ast.DeferStmt); !deferred && f.unlockOf(s) != "" {
			f.yield(instead(s, "defer "+f.text(s)))
		}
	})
}

// splitSections splits a section between two statements, and where a condition has been found to hold.
func splitSections(f *function) {
	f.eachList(func(list []ast.Stmt) {
		held, split := "", ""
		for i, s := range list {
			switch {
			case f.lockOf(s) != "":
				held = f.text(s)
				split = strings.Replace(held, "Lock()", "Unlock()", 1) + "; " + held + "; "
				continue
			case held == "" || f.unlockOf(s) != "":
				if _, deferred := s.(*ast.DeferStmt); !deferred {
					held = ""
				}
				continue
			}
			if f.lockOf(list[i-1]) == "" && f.unlockOf(list[i-1]) == "" {
				f.yield(before(s.Pos(), split))
			}
			if check, ok := s.(*ast.IfStmt); ok {
				f.yield(before(check.Body.Lbrace+1, split))
			}
		}
	})
}

// deleteByKey drops the check, in front of a deletion from a map, that the entry is still the one that is meant.
func deleteByKey(f *function) {
	each(f, func(s *ast.IfStmt) {
		check, ok := s.Cond.(*ast.BinaryExpr)
		if !ok {
			return
		}
		_, isEntry := check.X.(*ast.IndexExpr)
		deletes := false
		eachBelow(s.Body, func(call *ast.CallExpr) { deletes = deletes || f.text(call.Fun) == "delete" })
		if isEntry && deletes {
			f.skip(check)
		}
	})
}
