package instrument

import (
	"go/ast"
	"go/types"
)

// functions maps functions of the standard library to hooks that take the same arguments and a site.
var functions = map[string]string{
	"context.AfterFunc":         "ContextAfterFunc",
	"context.WithCancel":        "WithCancel",
	"context.WithCancelCause":   "WithCancelCause",
	"context.WithDeadline":      "WithDeadline",
	"context.WithDeadlineCause": "WithDeadlineCause",
	"context.WithTimeout":       "WithTimeout",
	"context.WithTimeoutCause":  "WithTimeoutCause",
	"maps.All":                  "MapAll",
	"maps.Keys":                 "MapKeys",
	"maps.Values":               "MapValues",
	"os.Exit":                   "Exit",
	"reflect.Select":            "ReflectSelect",
	"runtime.Gosched":           "Gosched",
	"sync.OnceFunc":             "OnceFunc",
	"sync.OnceValue":            "OnceValue",
	"sync.OnceValues":           "OnceValues",
	"time.After":                "After",
	"time.AfterFunc":            "AfterFunc",
	"time.NewTicker":            "NewTicker",
	"time.NewTimer":             "NewTimer",
	"time.Sleep":                "Sleep",
	"time.Tick":                 "Tick",
}

// fatals maps variadic functions that end the process to hooks that take a site and then the same arguments.
var fatals = map[string]string{
	"k8s.io/klog.Exit":       "Fatal",
	"k8s.io/klog.Exitf":      "Fatalf",
	"k8s.io/klog.Exitln":     "Fatalln",
	"k8s.io/klog.Fatal":      "Fatal",
	"k8s.io/klog.Fatalf":     "Fatalf",
	"k8s.io/klog.Fatalln":    "Fatalln",
	"k8s.io/klog/v2.Exit":    "Fatal",
	"k8s.io/klog/v2.Exitf":   "Fatalf",
	"k8s.io/klog/v2.Exitln":  "Fatalln",
	"k8s.io/klog/v2.Fatal":   "Fatal",
	"k8s.io/klog/v2.Fatalf":  "Fatalf",
	"k8s.io/klog/v2.Fatalln": "Fatalln",
	"log.Fatal":              "Fatal",
	"log.Fatalf":             "Fatalf",
	"log.Fatalln":            "Fatalln",
}

// refused maps functions without a hook to the mend.
var refused = map[string]string{
	"k8s.io/klog/v2.ExitDepth":    "call klog.Exit",
	"k8s.io/klog/v2.ExitfDepth":   "call klog.Exitf",
	"k8s.io/klog/v2.ExitlnDepth":  "call klog.Exitln",
	"k8s.io/klog/v2.FatalDepth":   "call klog.Fatal",
	"k8s.io/klog/v2.FatalfDepth":  "call klog.Fatalf",
	"k8s.io/klog/v2.FatallnDepth": "call klog.Fatalln",
}

// call rewrites a call of a builtin, of a function, or of a method.
func (r *rewriter) call(c *ast.CallExpr) {
	if r.is(c, asValue) {
		return
	}
	if builtin := r.builtinOf(c); builtin != "" {
		r.builtin(c, builtin)
		return
	}
	fun := calledName(c.Fun)
	if fn, ok := r.objectOf(fun).(*types.Func); ok {
		if sel, ok := fun.(*ast.SelectorExpr); ok && r.method(c, sel) {
			return
		}
		if !r.functionCall(c, fun, fn) {
			r.comeBack(c, fn)
		}
	}
}

// markCall marks the function of a call, and function literals that foreign code will call.
func (r *rewriter) markCall(c *ast.CallExpr) {
	if r.is(c, asValue) {
		return
	}
	fun := calledName(c.Fun)
	r.marks[fun] |= called
	if fn, ok := r.objectOf(fun).(*types.Func); ok && r.foreign(fn) {
		for _, arg := range c.Args {
			r.markCallback(arg)
		}
	}
}

// calledName strips type arguments from the function of a call.
func calledName(fun ast.Expr) ast.Expr {
	switch fun := fun.(type) {
	case *ast.IndexExpr:
		return fun.X
	case *ast.IndexListExpr:
		return fun.X
	}
	return fun
}

// objectOf is what an identifier or a selector names, or nil.
func (r *rewriter) objectOf(e ast.Expr) types.Object {
	switch e := e.(type) {
	case *ast.Ident:
		return r.target.info.Uses[e]
	case *ast.SelectorExpr:
		return r.target.info.Uses[e.Sel]
	}
	return nil
}

// functionKey is "time.Sleep" for a function of a package, and "" for a method.
func functionKey(fn *types.Func) string {
	if fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return ""
	}
	return fn.Pkg().Path() + "." + fn.Name()
}

// functionCall rewrites a call of a function in the table, or of one in sync/atomic.
func (r *rewriter) functionCall(c *ast.CallExpr, fun ast.Expr, fn *types.Func) bool {
	key := functionKey(fn)
	if mend := refused[key]; mend != "" {
		r.unsupported(c, key, mend)
		return true
	}
	if !r.hasStandIn(fn) {
		return false
	}
	r.hooked[c] = true
	if r.takesTuple(c, key) {
		return true
	}
	hook, isFatal := fatals[key]
	if !isFatal {
		hook = functions[key]
	}
	if hook == "" && r.pointAfterArgs(c) {
		return true
	}
	if hook == "" {
		r.wrap(c.Args[0], r.hook+".At(", ", "+r.site(c)+")")
		return true
	}
	r.dropPackage(fun)
	r.replace(fun.Pos(), fun.End(), r.hook+"."+hook)
	if isFatal {
		r.firstArg(c, r.site(c))
	} else {
		r.lastArg(c, r.site(c))
	}
	return true
}

// pointAfterArgs puts the point of an atomic operation behind its arguments where those make calls: in n.Store(n.Load()+1)
// another task may come in between. It returns false where the receiver, or the address, can carry the point.
func (r *rewriter) pointAfterArgs(c *ast.CallExpr) bool {
	quiet := true
	for _, arg := range c.Args {
		quiet = quiet && r.callsNothing(arg)
	}
	if quiet {
		return false
	}
	last := c.Args[len(c.Args)-1]
	if t := r.target.info.Types[last]; t.Value != nil || t.IsNil() {
		return false
	}
	then := ".Then("
	if name := r.takenType(last); name != "" {
		then = ".Then[" + name + "]("
	}
	r.wrap(last, r.hook+then, ", "+r.site(c)+")")
	return true
}

// takesTuple refuses a call whose arguments are the results of one other call: there is no place for a site.
func (r *rewriter) takesTuple(c *ast.CallExpr, key string) bool {
	if len(c.Args) != 1 {
		return false
	}
	_, isTuple := r.typeOf(c.Args[0]).(*types.Tuple)
	if isTuple {
		r.unsupported(c, key+" with the results of one call as its arguments", "assign them to variables first")
	}
	return isTuple
}

// builtinOf is the name of the builtin that is called, if one is.
func (r *rewriter) builtinOf(c *ast.CallExpr) string {
	if builtin, ok := r.objectOf(ast.Unparen(c.Fun)).(*types.Builtin); ok {
		return builtin.Name()
	}
	return ""
}

// builtin rewrites close, and the builtins that look at a map.
func (r *rewriter) builtin(c *ast.CallExpr, name string) {
	if name == "close" {
		r.hooked[c] = true
		r.replace(c.Fun.Pos(), c.Fun.End(), r.hook+".Close")
		r.lastArg(c, r.site(c))
		return
	}
	if len(c.Args) == 0 || !r.sharedMap(c.Args[0]) || r.is(c, started) {
		return
	}
	r.mapBuiltin(c, name)
}

// mapBuiltin sends the map of delete, clear or len through a hook.
func (r *rewriter) mapBuiltin(c *ast.CallExpr, name string) {
	hook := map[string]string{"delete": ".MapWrite(", "clear": ".MapWrite(", "len": ".MapRead("}[name]
	if hook == "" {
		return
	}
	r.hooked[c] = true
	r.wrap(c.Args[0], r.hook+hook, ", "+r.site(c)+")")
}

// inTestMain tells whether the current node belongs to a TestMain, where os.Exit ends the test binary.
func (r *rewriter) inTestMain() bool {
	for _, n := range r.stack {
		if fn, ok := n.(*ast.FuncDecl); ok && isTestMain(fn) {
			return true
		}
	}
	return false
}

// dropPackage remembers that a use of an import went away.
func (r *rewriter) dropPackage(fun ast.Expr) {
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if name := r.packageName(sel.X); name != nil {
			r.dropped[name]++
		}
	}
}

func (r *rewriter) packageName(x ast.Expr) *types.PkgName {
	id, ok := x.(*ast.Ident)
	if !ok {
		return nil
	}
	name, _ := r.target.info.Uses[id].(*types.PkgName)
	return name
}
