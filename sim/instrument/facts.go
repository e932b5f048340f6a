package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
)

// facts are what the targets do with their variables.
type facts struct {
	captured map[*types.Var]bool // used in a function literal inside of which it is not declared
	written  map[*types.Var]bool // assigned to after its declaration
	pointed  map[*types.Var]bool // its address is taken
	private  map[*types.Var]bool // local maps that nobody else can reach
}

// factFinder walks one file.
type factFinder struct {
	facts
	info  *types.Info
	stack []ast.Node
	leaks map[*types.Var]bool

	oneVarPerLoop bool // the language of the file is older than Go 1.22
}

func newFacts(targets []*target) facts {
	known := facts{map[*types.Var]bool{}, map[*types.Var]bool{}, map[*types.Var]bool{}, map[*types.Var]bool{}}
	for _, t := range targets {
		f := &factFinder{facts: known, info: t.info, leaks: map[*types.Var]bool{}}
		for _, s := range t.sources {
			f.oneVarPerLoop = version.Compare(t.info.FileVersions[s.syntax], "go1.22") < 0
			ast.Inspect(s.syntax, f.visit)
		}
		for v := range f.leaks {
			delete(known.private, v)
		}
		for v := range known.captured {
			delete(known.private, v)
		}
	}
	return known
}

func (f *factFinder) visit(n ast.Node) bool {
	if n == nil {
		f.stack = f.stack[:len(f.stack)-1]
		return true
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		f.assign(n)
	case *ast.IncDecStmt:
		f.write(n.X)
	case *ast.RangeStmt:
		f.iterate(n)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			f.mark(f.pointed, n.X)
		}
	case *ast.ValueSpec:
		f.declare(n)
	case *ast.Ident:
		f.use(n)
	}
	f.stack = append(f.stack, n)
	return true
}

// iterate notes the variables of a range loop. Before Go 1.22 one that the loop declares is assigned to again and again.
func (f *factFinder) iterate(loop *ast.RangeStmt) {
	for _, e := range []ast.Expr{loop.Key, loop.Value} {
		if loop.Tok == token.ASSIGN {
			f.write(e)
		}
		if id, ok := e.(*ast.Ident); ok && f.oneVarPerLoop {
			if v, ok := f.info.Defs[id].(*types.Var); ok {
				f.written[v] = true
			}
		}
	}
}

func (f *factFinder) assign(a *ast.AssignStmt) {
	for i, left := range a.Lhs {
		id, isName := left.(*ast.Ident)
		if !isName || f.info.Defs[id] == nil {
			f.write(left)
		}
		if isName && len(a.Lhs) == len(a.Rhs) {
			f.setMap(id, a.Rhs[i])
		}
	}
}

// declare handles var m map[K]V, with or without a value.
func (f *factFinder) declare(spec *ast.ValueSpec) {
	for i, name := range spec.Names {
		switch {
		case len(spec.Values) == 0:
			f.setMap(name, nil)
		case len(spec.Values) == len(spec.Names):
			f.setMap(name, spec.Values[i])
		}
	}
}

// setMap notes where a local map comes from: a map that is made here is private until it is seen to go elsewhere.
func (f *factFinder) setMap(id *ast.Ident, value ast.Expr) {
	if v, ok := f.info.Defs[id].(*types.Var); ok {
		if !isGlobal(v) && (value == nil || f.makesMap(value)) {
			f.private[v] = true
		}
		return
	}
	if v, ok := f.info.Uses[id].(*types.Var); ok && !f.makesMap(value) {
		f.leaks[v] = true
	}
}

// makesMap tells whether an expression is a new map, or nil.
func (f *factFinder) makesMap(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && f.info.Uses[id] == types.Universe.Lookup("make")
	case *ast.Ident:
		return f.info.Types[e].IsNil()
	}
	return false
}

func (f *factFinder) use(id *ast.Ident) {
	v, ok := f.info.Uses[id].(*types.Var)
	if !ok || v.IsField() || isGlobal(v) {
		return
	}
	for i := len(f.stack) - 1; i >= 0; i-- {
		if literal, ok := f.stack[i].(*ast.FuncLit); ok {
			if v.Pos() < literal.Pos() || v.Pos() >= literal.End() {
				f.captured[v] = true
			}
			break
		}
	}
	if !f.staysPrivate(id) {
		f.leaks[v] = true
	}
}

// staysPrivate tells whether a use of a map variable keeps the map where it is.
func (f *factFinder) staysPrivate(id *ast.Ident) bool {
	switch outer := f.stack[len(f.stack)-1].(type) {
	case *ast.IndexExpr:
		return outer.X == id
	case *ast.RangeStmt:
		return outer.X == id
	case *ast.ReturnStmt:
		return true
	case *ast.AssignStmt:
		for _, left := range outer.Lhs {
			if left == id && len(outer.Lhs) == len(outer.Rhs) {
				return true
			}
		}
	case *ast.CallExpr:
		fun, ok := outer.Fun.(*ast.Ident)
		_, builtin := f.info.Uses[fun].(*types.Builtin)
		return ok && builtin && (fun.Name == "len" || fun.Name == "delete" || fun.Name == "clear")
	}
	return false
}

func isGlobal(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

func (f *factFinder) write(e ast.Expr) { f.mark(f.written, e) }

func (f *factFinder) mark(set map[*types.Var]bool, e ast.Expr) {
	if v := rootVar(f.info, e); v != nil {
		set[v] = true
	}
}

// rootVar is the variable that holds the memory an expression names, if no pointer, slice or map is on the way.
func rootVar(info *types.Info, e ast.Expr) *types.Var {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return rootVar(info, e.X)
	case *ast.Ident:
		v, _ := info.Uses[e].(*types.Var)
		return v
	case *ast.SelectorExpr:
		selection := info.Selections[e]
		if selection == nil {
			v, _ := info.Uses[e.Sel].(*types.Var)
			return v
		}
		if selection.Kind() == types.FieldVal && !selection.Indirect() {
			return rootVar(info, e.X)
		}
	case *ast.IndexExpr:
		if _, ok := info.TypeOf(e.X).Underlying().(*types.Array); ok {
			return rootVar(info, e.X)
		}
	}
	return nil
}
