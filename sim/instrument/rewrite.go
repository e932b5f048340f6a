package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
)

// instrument rewrites all targets.
func (p *program) instrument() (*made, error) {
	m := &made{notes: p.notes()}
	var found problems
	for _, t := range p.targets {
		found = append(found, p.instrumentTarget(t, m)...)
	}
	if found != nil {
		return nil, found
	}
	return m, nil
}

// instrumentTarget adds the rewritten files of a target, and the target itself if one of its files will announce it.
func (p *program) instrumentTarget(t *target, m *made) problems {
	var found problems
	announced := false
	for i, s := range t.sources {
		switch {
		case s.left == "":
			r := newRewriter(p, t, s, i)
			m.add(output{s.path, r.rewrite()})
			m.sites += len(r.sites)
			found = append(found, r.problems...)
			announced = true
		case s.path != s.open:
			m.add(output{s.path, string(s.text)})
		}
	}
	if announced {
		m.packages = append(m.packages, t.path)
	}
	return found
}

// rewriter rewrites one file. It walks the syntax tree from the leaves to the root: what a rule moves
// around has been rewritten already.
type rewriter struct {
	prog     *program
	target   *target
	src      *source
	file     *token.File
	edits    edits
	names    names
	hook     string // the name under which the file imports the hooks
	table    string // the name of the file's table of sites
	original string // the name under which a copy imports its original, if it does
	sites    []site
	scopes   []scope
	stack    []ast.Node        // from the file to the current node
	marks    map[ast.Node]mark // what an outer node wants of an inner one
	hooked   map[ast.Node]bool // nodes that became a point
	dropped  map[*types.PkgName]int
	problems problems
}

// mark tells a rule what stands around a node.
type mark int

const (
	called   mark = 1 << iota // a function that is called here, not a value
	started                   // a call behind go or defer
	asValue                   // a call of which the function value is wanted, as in go wg.Wait()
	twoWay                    // used in the two-valued form
	assigned                  // a map element on the left side
	setLater                  // a map element on the left side whose assignment becomes a call of Set
	inSelect                  // the operation of a select case
	atBack                    // a function literal that foreign code calls
)

func newRewriter(p *program, t *target, s *source, number int) *rewriter {
	r := &rewriter{prog: p, target: t, src: s, file: p.fset.File(s.syntax.FileStart), edits: edits{src: s.text},
		marks: map[ast.Node]mark{}, hooked: map[ast.Node]bool{}, dropped: map[*types.PkgName]int{}}
	r.names = newNames(t, s)
	r.hook = r.names.pick("snaphook")
	r.table = r.names.pick(fmt.Sprintf("snapSites_%d", number))
	return r
}

// rewrite returns the instrumented text.
func (r *rewriter) rewrite() string {
	ast.Inspect(r.src.syntax, func(n ast.Node) bool {
		if n == nil {
			last := len(r.stack) - 1
			top := r.stack[last]
			r.stack = r.stack[:last]
			r.leaveFunction(top)
			r.leave(top)
			return true
		}
		r.enter(n)
		r.enterFunction(n)
		r.stack = append(r.stack, n)
		return true
	})
	r.head()
	return r.edits.String() + "\n" + r.tail()
}

// head imports the hooks on the line of the package clause. Where the text comes from a file other than the one that
// the go command sees, it says so.
func (r *rewriter) head() {
	file := r.src.syntax
	r.edits.after(r.offset(file.Name.End()), fmt.Sprintf("; import %s %q", r.hook, hookPath))
	if r.original != "" {
		r.edits.after(r.offset(file.Name.End()), fmt.Sprintf("; import %s %q", r.original, r.target.pkg.PkgPath))
	}
	if r.src.open != r.src.path {
		at := r.prog.fset.PositionFor(file.Package, false)
		r.edits.before(r.offset(file.Package), fmt.Sprintf("/*line %s:%d:%d*/", filepath.ToSlash(r.src.open), at.Line, at.Column))
	}
}

// enter leaves marks for the rules of inner nodes.
func (r *rewriter) enter(n ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr:
		r.markCall(n)
	case *ast.GoStmt:
		r.marks[n.Call] |= started
		r.markBound(n.Call)
	case *ast.DeferStmt:
		r.marks[n.Call] |= started
	case *ast.AssignStmt:
		r.markAssign(n)
	case *ast.ValueSpec:
		if len(n.Names) == 2 && len(n.Values) == 1 {
			r.marks[ast.Unparen(n.Values[0])] |= twoWay
			if n.Type != nil {
				r.checkOK(n, n.Values[0], n.Type)
			}
		}
	case *ast.IncDecStmt:
		r.marks[ast.Unparen(n.X)] |= assigned
	case *ast.RangeStmt:
		r.markRange(n)
	case *ast.CommClause:
		r.markComm(n)
	case *ast.CompositeLit:
		r.markForeignLiteral(n)
	}
}

// leave applies the rules: first that of the node itself, then, for a statement in a list, that of shared memory.
func (r *rewriter) leave(n ast.Node) {
	switch n := n.(type) {
	case *ast.ImportSpec:
		r.importCopy(n)
	case *ast.TypeSpec:
		r.alias(n)
	case *ast.Ident:
		r.identValue(n)
	case *ast.SelectorExpr:
		r.selectorValue(n)
	case *ast.CallExpr:
		r.call(n)
	case *ast.IndexExpr:
		r.mapIndex(n)
	case *ast.UnaryExpr:
		r.receive(n)
	case *ast.FuncLit:
		r.literal(n)
	case *ast.SendStmt:
		r.send(n)
	case *ast.AssignStmt:
		r.mapAssign(n)
		r.tupleAssign(n)
	case *ast.GoStmt:
		r.goStmt(n)
	case *ast.DeferStmt:
		r.deferStmt(n)
	case *ast.RangeStmt:
		r.rangeStmt(n)
	case *ast.SelectStmt:
		r.selectStmt(n)
	}
	if stmt, ok := n.(ast.Stmt); ok {
		r.touch(stmt)
	}
}

// unsupported reports a construct that cannot be rewritten.
func (r *rewriter) unsupported(n ast.Node, what, mend string) {
	r.problems = append(r.problems, problem{r.prog.fset.PositionFor(n.Pos(), false), what + " is not supported yet: " + mend})
}

// parent is the i-th node above the one that is being left; parent(0) holds it.
func (r *rewriter) parent(i int) ast.Node {
	if i >= len(r.stack) {
		return nil
	}
	return r.stack[len(r.stack)-1-i]
}

func (r *rewriter) is(n ast.Node, m mark) bool { return r.marks[n]&m != 0 }

// typeOf is the type of an expression, without alias names.
func (r *rewriter) typeOf(e ast.Expr) types.Type {
	if t := r.target.info.TypeOf(e); t != nil {
		return types.Unalias(t)
	}
	return types.Typ[types.Invalid]
}

// names are the identifiers that a file may not be given again.
type names struct {
	taken map[string]bool
	temps int
}

func newNames(t *target, s *source) names {
	taken := map[string]bool{}
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			taken[id.Name] = true
		}
		return true
	})
	for _, name := range t.types.Scope().Names() {
		taken[name] = true
	}
	return names{taken: taken}
}

// pick returns the name, with as many underscores behind it as make it new.
func (n *names) pick(name string) string {
	for n.taken[name] {
		name += "_"
	}
	n.taken[name] = true
	return name
}

// temp returns the name of a new local variable.
func (n *names) temp() string {
	n.temps++
	return n.pick(fmt.Sprintf("snap%d", n.temps))
}

// several returns the names of new local variables.
func (n *names) several(count int) []string {
	names := make([]string, count)
	for i := range names {
		names[i] = n.temp()
	}
	return names
}

func joined(parts []string) string { return strings.Join(parts, ", ") }
