package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// An interface of a copied library is the original's: type Timer = snaporiginal.Timer. So what implements it, and what is
// made of it, can be handed to and fro between instrumented packages, which see the copy, and others, which see the
// original. The declaration itself stays, under the name _.

// alias makes an alias of the declaration of an interface in a copy.
func (r *rewriter) alias(spec *ast.TypeSpec) {
	if !r.target.isCopy || !r.sharesInterface(spec) {
		return
	}
	params, args := r.typeParams(spec)
	word := "type "
	if decl, ok := r.parent(0).(*ast.GenDecl); ok && decl.Lparen.IsValid() {
		word = ""
	}
	if r.original == "" {
		r.original = r.names.pick("snaporiginal")
	}
	name := spec.Name.Name
	r.replace(spec.Name.Pos(), spec.Name.End(), fmt.Sprintf("%s%s = %s.%s%s; %s_", name, params, r.original, name, args, word))
}

// sharesInterface tells whether a declaration is that of an interface which is the same in the original: it names nothing
// that the copy has a type of its own for.
func (r *rewriter) sharesInterface(spec *ast.TypeSpec) bool {
	if spec.Assign.IsValid() {
		return false
	}
	if r.target.shared == nil {
		r.target.shared = sharedInterfaces(r.target.types)
	}
	obj, ok := r.target.info.Defs[spec.Name].(*types.TypeName)
	return ok && r.target.shared[obj]
}

// typeParams returns the type parameters of a declaration, and the arguments that stand for them.
func (r *rewriter) typeParams(spec *ast.TypeSpec) (params, args string) {
	if spec.TypeParams == nil {
		return "", ""
	}
	var names []string
	for _, field := range spec.TypeParams.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	text := r.src.text[r.offset(spec.TypeParams.Pos()):r.offset(spec.TypeParams.End())]
	return strings.Join(strings.Fields(string(text)), " "), "[" + joined(names) + "]"
}

// sharedInterfaces returns the exported interfaces of a package all of whose methods are exported and name, of the
// package's own types, only such interfaces.
func sharedInterfaces(pkg *types.Package) map[*types.TypeName]bool {
	shared := map[*types.TypeName]bool{}
	for _, name := range pkg.Scope().Names() {
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if ok && obj.Exported() && !obj.IsAlias() && types.IsInterface(obj.Type()) {
			shared[obj] = true
		}
	}
	for before := -1; before != len(shared); {
		before = len(shared)
		for obj := range shared {
			if !isPublic(obj.Type().Underlying().(*types.Interface), shared) {
				delete(shared, obj)
			}
		}
	}
	return shared
}

func isPublic(i *types.Interface, shared map[*types.TypeName]bool) bool {
	if !i.IsMethodSet() {
		return false
	}
	for m := range i.Methods() {
		if !m.Exported() || namesOwn(m.Signature(), m.Pkg(), shared) {
			return false
		}
	}
	return true
}

// namesOwn tells whether a type is made of one that the package declares and does not share.
func namesOwn(t types.Type, pkg *types.Package, shared map[*types.TypeName]bool) bool {
	own := func(t types.Type) bool { return namesOwn(t, pkg, shared) }
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if own(arg) {
				return true
			}
		}
		return t.Obj().Pkg() == pkg && !shared[t.Obj()]
	case *types.Signature:
		return own(t.Params()) || own(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if own(v.Type()) {
				return true
			}
		}
	case *types.Map:
		return own(t.Key()) || own(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays and channels
		return own(t.Elem())
	case *types.Struct, *types.Interface:
		return !types.Identical(t, types.NewInterfaceType(nil, nil)) // not worth a look inside
	}
	return false
}
