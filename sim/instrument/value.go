package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// identValue refuses a function that came by a dot import and is used as a value.
func (r *rewriter) identValue(id *ast.Ident) {
	if sel, ok := r.parent(0).(*ast.SelectorExpr); ok && sel.Sel == id {
		return
	}
	fn, ok := r.target.info.Uses[id].(*types.Func)
	if ok && !r.is(id, called) && r.hasStandIn(fn) {
		r.valueRefused(id, functionKey(fn))
	}
}

// hasStandIn tells whether calls of a function are rewritten.
func (r *rewriter) hasStandIn(fn *types.Func) bool {
	key := functionKey(fn)
	if (key == "os.Exit" || fatals[key] != "") && r.inTestMain() {
		return false
	}
	atomic := key != "" && fn.Pkg().Path() == "sync/atomic"
	return atomic || functions[key] != "" || fatals[key] != "" || refused[key] != ""
}

// selectorValue rewrites functions and methods that are used as values, not called.
func (r *rewriter) selectorValue(sel *ast.SelectorExpr) {
	fn, ok := r.objectOf(sel).(*types.Func)
	if !ok || r.is(sel, called) {
		return
	}
	if r.target.info.Selections[sel] != nil {
		r.methodValue(sel, fn)
		return
	}
	if r.hasStandIn(fn) {
		r.functionValue(sel, fn)
	}
}

// methodValue rewrites x.mu.Unlock to Bind(&x.mu, Unlock, site). A method of another shape becomes a function literal, if
// its operand is the same whenever it is evaluated.
func (r *rewriter) methodValue(sel *ast.SelectorExpr, fn *types.Func) {
	in, ok := r.standInFor(sel)
	if !ok {
		return
	}
	selection := r.target.info.Selections[sel]
	r.hooked[sel] = true
	switch {
	case selection.Kind() == types.MethodVal && bindable(in, fn):
		address, path := r.receiver(sel, selection)
		r.before(sel.X, r.hook+".Bind("+address)
		r.replace(sel.X.End(), sel.End(), path+", "+r.hook+"."+in.hook+", "+r.site(sel)+")")
	case selection.Kind() == types.MethodVal && r.isSteady(sel.X):
		r.methodLiteral(sel, in, fn, "", r.sourceOf(sel.X))
	case selection.Kind() == types.MethodExpr:
		receiver := r.names.temp()
		r.methodLiteral(sel, in, fn, receiver+" "+r.sourceOf(sel.X), receiver)
	default:
		r.valueRefused(sel, in.key)
	}
}

func (r *rewriter) valueRefused(n ast.Node, key string) {
	r.unsupported(n, key+" as a value", "call it in a function literal")
}

// methodLiteral rewrites timer.Stop to func() bool { return TimerStop(timer, site) }, and (*sync.Mutex).Lock, where the
// receiver is a parameter, to func(snap1 *sync.Mutex) { Lock(snap1, site) }.
func (r *rewriter) methodLiteral(sel *ast.SelectorExpr, in standIn, fn *types.Func, receiver, operand string) {
	address, path := r.receiver(sel, r.target.info.Selections[sel])
	operand = address + operand + path
	text, named := r.literalOf(literal{sig: fn.Signature(), receiver: receiver}, func(args []string) string {
		if in.hook == "" {
			return r.hook + ".At(" + operand + ", " + r.site(sel) + ")." + fn.Name() + "(" + joined(args) + ")"
		}
		return r.hook + "." + in.hook + "(" + operand + ", " + joined(withSite(args, r.site(sel), in.early)) + ")"
	})
	if !named {
		r.valueRefused(sel, in.key)
		return
	}
	r.replace(sel.Pos(), sel.End(), text)
}

// isSteady tells whether an operand is a variable that keeps its value, or one whose address is wanted.
func (r *rewriter) isSteady(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := r.objectOf(id).(*types.Var)
	_, isStruct := r.typeOf(x).Underlying().(*types.Struct)
	return ok && (isStruct || r.isFixed(v))
}

// bindable tells whether a method is of the shape that Bind takes.
func bindable(in standIn, fn *types.Func) bool {
	return in.hook != "" && !in.locker && isNiladic(fn)
}

// markBound marks a call behind go whose method value will be started: go wg.Wait() is Go(Bind(&wg, WaitGroupWait)).
func (r *rewriter) markBound(c *ast.CallExpr) {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn, ok := r.objectOf(sel).(*types.Func)
	if !ok {
		return
	}
	if in, ok := r.standInFor(sel); ok && bindable(in, fn) && r.target.info.Selections[sel].Kind() == types.MethodVal {
		r.marks[c] |= asValue
	}
}

// functionValue rewrites time.Sleep to func(snap1 time.Duration) { Sleep(snap1, site) }.
func (r *rewriter) functionValue(sel *ast.SelectorExpr, fn *types.Func) {
	hook, isFatal := fatals[functionKey(fn)]
	if !isFatal {
		hook = functions[functionKey(fn)]
	}
	qualifier := sel.X.(*ast.Ident).Name
	text, named := r.literalOf(literal{sig: fn.Signature(), known: fn.Pkg(), qualifier: qualifier}, func(args []string) string {
		return r.hook + "." + hook + "(" + joined(withSite(args, r.site(sel), isFatal)) + ")"
	})
	if hook == "" || !named {
		r.valueRefused(sel, functionKey(fn))
		return
	}
	if !strings.Contains(text, qualifier+".") {
		r.dropPackage(sel)
	}
	r.replace(sel.Pos(), sel.End(), text)
}

// withSite adds the site to the arguments of a hook.
func withSite(args []string, site string, early bool) []string {
	if early {
		return append([]string{site}, args...)
	}
	return append(args, site)
}

// literal is what a function literal is made of.
type literal struct {
	sig       *types.Signature
	receiver  string         // of a method expression: the parameter that comes first, with its type
	known     *types.Package // has a name in the file
	qualifier string         // that name
}

// literalOf writes a function literal around a call. It fails when the signature has a type of a package other than the one
// that is known to have a name in the file.
func (r *rewriter) literalOf(l literal, call func(args []string) string) (text string, named bool) {
	sig := l.sig
	named = sig.TypeParams().Len() == 0
	qualify := func(pkg *types.Package) string {
		named = named && pkg == l.known
		return l.qualifier
	}
	var params, args, results []string
	for v := range sig.Params().Variables() {
		name := r.names.temp()
		params = append(params, name+" "+types.TypeString(v.Type(), qualify))
		args = append(args, name)
	}
	if last := len(params) - 1; sig.Variadic() {
		params[last] = strings.Replace(params[last], " []", " ...", 1)
		args[last] += "..."
	}
	if l.receiver != "" {
		params = slices.Insert(params, 0, l.receiver)
	}
	for v := range sig.Results().Variables() {
		results = append(results, types.TypeString(v.Type(), qualify))
	}
	result, back := "", ""
	if results != nil {
		result, back = "("+joined(results)+") ", "return "
	}
	return fmt.Sprintf("func(%s) %s{ %s%s }", joined(params), result, back, call(args)), named
}
