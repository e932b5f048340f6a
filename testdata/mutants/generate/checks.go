package generate

import (
	"go/ast"
	"strings"
)

const typeUID = "k8s.io/apimachinery/pkg/types.UID"

// isUID says whether an expression is the UID of some object, as such or as a string, and no constant.
func (f *function) isUID(e ast.Expr) bool {
	if conversion, ok := e.(*ast.CallExpr); ok && len(conversion.Args) == 1 && f.info.Types[conversion.Fun].IsType() {
		e = conversion.Args[0]
	}
	return f.isNamed(e, typeUID) && f.info.Types[e].Value == nil
}

func skipUIDs(f *function) {
	f.eachComparison(func(e *ast.BinaryExpr) {
		constant := f.info.Types[e.X].Value != nil || f.info.Types[e.Y].Value != nil
		if (f.isUID(e.X) || f.isUID(e.Y)) && !constant {
			f.skip(e)
		}
	})
}

// isAPI says whether a call is of a method, by its name, of a client for objects.
func (f *function) isAPI(call *ast.CallExpr, method string) bool {
	at, ok := call.Fun.(*ast.SelectorExpr)
	return ok && at.Sel.Name == method && strings.Contains(f.packageOf(call), "/typed/")
}

// skipRevisions takes the resourceVersion out of what is sent.
func skipRevisions(f *function) {
	f.eachList(func(list []ast.Stmt) {
		for _, s := range list {
			assigned, ok := s.(*ast.AssignStmt)
			if !ok {
				continue
			}
			if call, ok := assigned.Rhs[0].(*ast.CallExpr); ok && f.isAPI(call, "Update") {
				f.yield(before(s.Pos(), f.text(call.Args[1])+`.ResourceVersion = ""`+"; "))
			}
		}
	})
}

func dropPreconditions(f *function) {
	each(f, func(e *ast.KeyValueExpr) {
		if f.text(e.Key) == "Preconditions" {
			f.yield(instead(e.Value, "nil"))
		}
	})
}

// skipDeletions sees no deletion timestamp anywhere.
func skipDeletions(f *function) {
	f.eachComparison(func(e *ast.BinaryExpr) {
		if at, ok := e.X.(*ast.SelectorExpr); ok && at.Sel.Name == "DeletionTimestamp" && f.isNil(e.Y) {
			f.skip(e)
		}
	})
}

func ignoreTombstones(f *function) {
	each(f, func(c *ast.CaseClause) {
		for _, e := range c.List {
			if f.isNamed(e, "k8s.io/client-go/tools/cache.DeletedFinalStateUnknown") && len(c.Body) > 0 {
				f.yield(before(c.Colon+1, " if false {"), before(c.End(), "}"))
			}
		}
	})
}

func dropHandlers(f *function) {
	each(f, func(l *ast.CompositeLit) {
		if !f.isNamed(l, "k8s.io/client-go/tools/cache.ResourceEventHandlerFuncs") {
			return
		}
		for _, e := range l.Elts {
			f.yield(instead(e.(*ast.KeyValueExpr).Value, "nil"))
		}
	})
}
