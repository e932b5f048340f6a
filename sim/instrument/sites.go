package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// maxOp is how many runes of an operation's text a site keeps.
const maxOp = 60

// site is one rewritten operation, as hook.Site tells it.
type site struct {
	line     int
	function string
	op       string
}

// site adds a site for a node and returns the expression that is its address.
func (r *rewriter) site(n ast.Node) string {
	return r.siteOf(n, r.sourceOf(n))
}

func (r *rewriter) siteOf(n ast.Node, op string) string {
	r.sites = append(r.sites, site{line: r.line(n.Pos()), function: r.function(), op: op})
	return fmt.Sprintf("&%s[%d]", r.table, len(r.sites)-1)
}

// sourceOf is the node's own text on one line.
func (r *rewriter) sourceOf(n ast.Node) string {
	return oneLine(string(r.src.text[r.offset(n.Pos()):r.offset(n.End())]))
}

// oneLine cuts text to one line of at most maxOp runes.
func oneLine(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= maxOp {
		return string(runes)
	}
	return strings.TrimSpace(string(runes[:maxOp-1])) + "…"
}

// scope is a function on the way from the file to the current node.
type scope struct {
	name     string
	literals int
}

// enterFunction names functions as stacks do: F, F.func1, and F.func1.2 for a literal in a literal.
func (r *rewriter) enterFunction(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		r.scopes = append(r.scopes, scope{name: declaredName(n)})
	case *ast.FuncLit:
		inner := ".func"
		if len(r.scopes) > 1 {
			inner = "."
		}
		if len(r.scopes) == 0 {
			r.scopes = append(r.scopes, scope{name: "init"})
		}
		outer := &r.scopes[len(r.scopes)-1]
		outer.literals++
		r.scopes = append(r.scopes, scope{name: outer.name + inner + strconv.Itoa(outer.literals)})
	}
}

func (r *rewriter) leaveFunction(n ast.Node) {
	switch n.(type) {
	case *ast.FuncDecl, *ast.FuncLit:
		r.scopes = r.scopes[:len(r.scopes)-1]
	}
}

func (r *rewriter) function() string {
	if len(r.scopes) == 0 {
		return "init"
	}
	return r.scopes[len(r.scopes)-1].name
}

func declaredName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	recv := fn.Recv.List[0].Type
	if star, ok := recv.(*ast.StarExpr); ok {
		return "(*" + baseName(star.X) + ")." + fn.Name.Name
	}
	return baseName(recv) + "." + fn.Name.Name
}

// baseName drops the type parameters of a receiver.
func baseName(recv ast.Expr) string {
	switch recv := ast.Unparen(recv).(type) {
	case *ast.IndexExpr:
		return baseName(recv.X)
	case *ast.IndexListExpr:
		return baseName(recv.X)
	}
	return types.ExprString(recv)
}

// tail is what stands after the end of the file: the table of sites and the announcement.
func (r *rewriter) tail() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nvar %s = [...]%s.Site{\n", r.table, r.hook)
	for _, s := range r.sites {
		fmt.Fprintf(&b, "\t{File: %q, Line: %d, Func: %q, Op: %s},\n", r.src.site, s.line, s.function, strconv.Quote(s.op))
	}
	fmt.Fprintf(&b, "}\n\nfunc init() { %s.Announce(%q, %s[:]) }\n", r.hook, r.target.path, r.table)
	return b.String() + r.keepImports()
}
