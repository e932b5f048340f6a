package instrument

import (
	"fmt"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// copiedLibraries are the packages of other modules whose goroutines and waits must be scheduled. Each has a last element
// of its own, which names its copy.
var copiedLibraries = []string{
	"golang.org/x/sync/errgroup",
	"golang.org/x/sync/semaphore",
	"golang.org/x/sync/singleflight",
	"k8s.io/client-go/util/workqueue",
	"k8s.io/utils/clock",
}

// copyDir is the directory, below the module's root, in which the overlay shows the instrumented copies. It does not exist
// on disk.
const copyDir = "snapstorm_copy"

// addCopies adds a target for each library that a target, or another copy, imports. They stand behind all other targets:
// who imports a library is checked against the compiled original, as the rest of the binary is.
func (p *program) addCopies() error {
	p.copies = map[string]*target{}
	for i := 0; i < len(p.targets); i++ {
		imports := p.targets[i].pkg.Imports
		for _, name := range sortedKeys(imports) {
			original := imports[name]
			if !slices.Contains(copiedLibraries, original.PkgPath) || isTarget(original) || p.copies[original.PkgPath] != nil {
				continue
			}
			t := &target{pkg: original, path: p.module().Path + "/" + copyDir + "/" + path.Base(original.PkgPath), isCopy: true}
			p.copies[original.PkgPath] = t
			p.targets = append(p.targets, t)
		}
	}
	dir := filepath.Join(p.module().Dir, copyDir)
	if _, err := os.Stat(dir); err == nil && len(p.copies) > 0 {
		return fmt.Errorf("instrument: %s exists, and copies of libraries would appear there: rename it", dir)
	}
	return nil
}

// importCopy points an import of a library at its copy, under the name that the file uses.
func (r *rewriter) importCopy(spec *ast.ImportSpec) {
	name, err := strconv.Unquote(spec.Path.Value)
	original := r.target.pkg.Imports[name]
	if err != nil || original == nil {
		return
	}
	if r.target.isCopy && !mayImport(r.target.path, name) {
		r.unsupported(spec, "a copy of "+r.target.pkg.PkgPath+", which imports the internal package "+name+",",
			"require another version of module "+r.target.pkg.Module.Path)
	}
	instead := r.prog.copies[original.PkgPath]
	if instead == nil {
		return
	}
	quoted := strconv.Quote(instead.path)
	if spec.Name == nil {
		quoted = original.Name + " " + quoted
	}
	r.replace(spec.Path.Pos(), spec.Path.End(), quoted)
}

// mayImport tells whether the go command lets one package import another, which may be internal to a part of the tree. A
// library cannot import what is internal to the standard library.
func mayImport(from, path string) bool {
	elements := strings.Split(path, "/")
	for i, element := range slices.Backward(elements) {
		if element == "internal" {
			return below(from, strings.Join(elements[:i], "/"))
		}
	}
	return true
}
