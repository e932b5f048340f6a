package instrument

import (
	"go/ast"
	"go/types"
)

// methods maps methods to hooks that take the address of the receiver, the arguments and a site; where the arguments are
// variadic, the site stands before them.
var methods = map[string]string{
	"context.Context.Err":   "ContextErr",
	"log.Logger.Fatal":      "LoggerFatal",
	"log.Logger.Fatalf":     "LoggerFatalf",
	"log.Logger.Fatalln":    "LoggerFatalln",
	"sync.Cond.Broadcast":   "CondBroadcast",
	"sync.Cond.Signal":      "CondSignal",
	"sync.Cond.Wait":        "CondWait",
	"sync.Map.Range":        "SyncMapRange",
	"sync.Mutex.Lock":       "Lock",
	"sync.Mutex.TryLock":    "TryLock",
	"sync.Mutex.Unlock":     "Unlock",
	"sync.Once.Do":          "OnceDo",
	"sync.Pool.Get":         "PoolGet",
	"sync.Pool.Put":         "PoolPut",
	"sync.RWMutex.Lock":     "RWLock",
	"sync.RWMutex.RLock":    "RLock",
	"sync.RWMutex.RLocker":  "RLocker",
	"sync.RWMutex.RUnlock":  "RUnlock",
	"sync.RWMutex.TryLock":  "RWTryLock",
	"sync.RWMutex.TryRLock": "TryRLock",
	"sync.RWMutex.Unlock":   "RWUnlock",
	"sync.WaitGroup.Add":    "WaitGroupAdd",
	"sync.WaitGroup.Done":   "WaitGroupDone",
	"sync.WaitGroup.Go":     "WaitGroupGo",
	"sync.WaitGroup.Wait":   "WaitGroupWait",
	"time.Ticker.Reset":     "TickerReset",
	"time.Ticker.Stop":      "TickerStop",
	"time.Timer.Reset":      "TimerReset",
	"time.Timer.Stop":       "TimerStop",
}

// standIn is how a method call is rewritten.
type standIn struct {
	key    string
	hook   string // the function that takes the call's place; "" to go through At
	locker bool   // the receiver is an interface with Lock and Unlock
	early  bool   // the site comes before the arguments
}

// standInFor looks a method up.
func (r *rewriter) standInFor(sel *ast.SelectorExpr) (standIn, bool) {
	selection := r.target.info.Selections[sel]
	if selection == nil {
		return standIn{}, false
	}
	fn, ok := selection.Obj().(*types.Func)
	if !ok {
		return standIn{}, false
	}
	if isLocker(fn) {
		return standIn{key: "sync.Locker." + fn.Name(), hook: "Locker" + fn.Name(), locker: true}, true
	}
	key := methodKey(fn)
	if hook := methods[key]; hook != "" {
		return standIn{key: key, hook: hook, early: fn.Signature().Variadic()}, true
	}
	atomic := fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic"
	return standIn{key: key}, atomic || receiverKey(fn) == "sync.Map"
}

// methodKey is "sync.Mutex.Lock".
func methodKey(fn *types.Func) string {
	if receiver := receiverKey(fn); receiver != "" {
		return receiver + "." + fn.Name()
	}
	return ""
}

func receiverKey(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil || fn.Pkg() == nil {
		return ""
	}
	named, ok := types.Unalias(pointee(recv.Type())).(*types.Named)
	if !ok {
		return ""
	}
	return fn.Pkg().Path() + "." + named.Obj().Name()
}

// pointee strips one pointer, if there is one.
func pointee(t types.Type) types.Type {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		return pointer.Elem()
	}
	return t
}

// isLocker tells whether a method is Lock or Unlock of an interface that has both, and so is a sync.Locker.
func isLocker(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil || fn.Name() != "Lock" && fn.Name() != "Unlock" || !isNiladic(fn) {
		return false
	}
	iface, ok := recv.Type().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	names := map[string]bool{}
	for i := range iface.NumMethods() {
		names[iface.Method(i).Name()] = isNiladic(iface.Method(i))
	}
	return names["Lock"] && names["Unlock"]
}

// isNiladic tells whether a function is a func().
func isNiladic(fn *types.Func) bool {
	return fn.Signature().Params().Len() == 0 && fn.Signature().Results().Len() == 0
}

// method rewrites x.mu.Lock() to Lock(&x.mu, site), and x.n.Add(1) of an atomic to At(&x.n, site).Add(1).
func (r *rewriter) method(c *ast.CallExpr, sel *ast.SelectorExpr) bool {
	in, ok := r.standInFor(sel)
	if !ok {
		return false
	}
	selection := r.target.info.Selections[sel]
	if selection.Kind() == types.MethodExpr {
		r.methodValue(sel, selection.Obj().(*types.Func))
		return true
	}
	r.hooked[c] = true
	if r.takesTuple(c, in.key) {
		return true
	}
	if in.hook == "" && r.pointAfterArgs(c) {
		return true
	}
	address, path := r.receiver(sel, selection)
	if in.hook == "" {
		r.wrap(sel.X, r.hook+".At("+address, path+", "+r.site(c)+")")
		return true
	}
	site := r.site(c)
	r.before(sel.X, r.hook+"."+in.hook+"("+address)
	switch {
	case len(c.Args) == 0:
		path += ", " + site
	case in.early:
		path += ", " + site + ", "
	default:
		path += ", "
		r.lastArg(c, site)
	}
	r.replace(sel.X.End(), c.Lparen+1, path)
	return true
}

// receiver returns what makes the operand of a selector the address of the method's receiver: a prefix, and the path
// through the embedded fields.
func (r *rewriter) receiver(sel *ast.SelectorExpr, selection *types.Selection) (prefix, path string) {
	t := selection.Recv()
	index := selection.Index()
	for _, i := range index[:len(index)-1] {
		structure, ok := coreType(pointee(t)).(*types.Struct)
		if !ok {
			r.unsupported(sel, "promotion of "+sel.Sel.Name+" through a type parameter", "name the field")
			return "", ""
		}
		field := structure.Field(i)
		if !field.Exported() && field.Pkg() != r.target.types {
			r.unsupported(sel, sel.Sel.Name+", promoted through the unexported field "+field.Name()+" of another package,",
				"give the type a method that calls it")
			return "", ""
		}
		path += "." + field.Name()
		t = field.Type()
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return "", path
	}
	return "&", path
}
