package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// identValue refuses a function that came by a dot import and is used as a value.
func (r *rewriter) identValue(id *ast.Ident) {
	if sel, ok := r.parent(0).(*ast.SelectorExpr); ok && sel.Sel == id {
		return
	}
	fn, ok := r.target.info.Uses[id].(*types.Func)
	if ok && !r.is(id, called) && r.hasStandIn(fn) {
		r.unsupported(id, functionKey(fn)+" as a value", "call it in a function literal")
	}
}

// hasStandIn tells whether calls of a function are rewritten.
func (r *rewriter) hasStandIn(fn *types.Func) bool {
	key := functionKey(fn)
	if key == "os.Exit" && r.inTestMain() {
		return false
	}
	atomic := key != "" && fn.Pkg().Path() == "sync/atomic"
	return atomic || functions[key] != "" || refused[key] != ""
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

// methodValue rewrites x.mu.Unlock to Bind(&x.mu, Unlock, site).
func (r *rewriter) methodValue(sel *ast.SelectorExpr, fn *types.Func) {
	in, ok := r.standInFor(sel)
	if !ok {
		if mend := refused[methodKey(fn)]; mend != "" {
			r.unsupported(sel, methodKey(fn), mend)
		}
		return
	}
	selection := r.target.info.Selections[sel]
	if selection.Kind() != types.MethodVal || !bindable(in, fn) {
		r.unsupported(sel, in.key+" as a value", "call it in a function literal")
		return
	}
	r.hooked[sel] = true
	address, path := r.receiver(sel, selection)
	r.before(sel.X, r.hook+".Bind("+address)
	r.replace(sel.X.End(), sel.End(), path+", "+r.hook+"."+in.hook+", "+r.site(sel)+")")
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
	hook := functions[functionKey(fn)]
	text, named := r.literalOf(sel, fn.Signature(), hook)
	if hook == "" || !named {
		r.unsupported(sel, functionKey(fn)+" as a value", "call it in a function literal")
		return
	}
	if !strings.Contains(text, r.qualifier(sel)+".") {
		r.dropPackage(sel)
	}
	r.replace(sel.Pos(), sel.End(), text)
}

func (r *rewriter) qualifier(sel *ast.SelectorExpr) string { return sel.X.(*ast.Ident).Name }

// literalOf writes a function literal that calls a hook. It fails when a type of the signature is declared in a package other than the
// function's own, for which the file may have no name.
func (r *rewriter) literalOf(sel *ast.SelectorExpr, sig *types.Signature, hook string) (text string, named bool) {
	if sig.TypeParams().Len() > 0 {
		return "", false
	}
	named = true
	qualify := func(pkg *types.Package) string {
		named = named && pkg == r.objectOf(sel).Pkg()
		return r.qualifier(sel)
	}
	var params, args []string
	for i := range sig.Params().Len() {
		name := r.names.temp()
		params = append(params, name+" "+types.TypeString(sig.Params().At(i).Type(), qualify))
		args = append(args, name)
	}
	result, back := "", ""
	if sig.Results().Len() > 0 {
		result, back = types.TypeString(sig.Results().At(0).Type(), qualify)+" ", "return "
	}
	args = append(args, r.site(sel))
	return fmt.Sprintf("func(%s) %s{ %s%s.%s(%s) }", joined(params), result, back, r.hook, hook, joined(args)),
		named && sig.Results().Len() < 2
}
