package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// keepers are lines that keep an import used, by path; %s is its name and a dot.
var keepers = map[string]string{
	"context": "var _ = %sBackground",
	"log":     "var _ = %sFatal",
	"maps":    "var _ = %sKeys[map[int]int]",
	"os":      "var _ = %sExit",
	"reflect": "var _ %sValue",
	"runtime": "const _ = %sGOOS",
	"sync":    "var _ %sMutex",
	"time":    "const _ = %sSecond",

	"k8s.io/klog":    "var _ = %sFatal",
	"k8s.io/klog/v2": "var _ = %sFatal",
}

// keepImports returns lines that use the imports of which every use was rewritten. A dot import may be one of these: it
// gets its line in any case.
func (r *rewriter) keepImports() string {
	var b strings.Builder
	uses := r.importUses()
	for _, spec := range r.src.syntax.Imports {
		name := r.importedName(spec)
		if name == nil {
			continue
		}
		keeper := keepers[name.Imported().Path()]
		isDot := spec.Name != nil && spec.Name.Name == "."
		switch {
		case isDot && keeper != "":
			fmt.Fprintf(&b, keeper+"\n", "")
		case r.dropped[name] > 0 && r.dropped[name] == uses[name]:
			fmt.Fprintf(&b, keeper+"\n", name.Name()+".")
		}
	}
	return b.String()
}

func (r *rewriter) importUses() map[*types.PkgName]int {
	uses := map[*types.PkgName]int{}
	ast.Inspect(r.src.syntax, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if name, ok := r.target.info.Uses[id].(*types.PkgName); ok {
				uses[name]++
			}
		}
		return true
	})
	return uses
}

func (r *rewriter) importedName(spec *ast.ImportSpec) *types.PkgName {
	if spec.Name != nil {
		name, _ := r.target.info.Defs[spec.Name].(*types.PkgName)
		return name
	}
	name, _ := r.target.info.Implicits[spec].(*types.PkgName)
	return name
}
