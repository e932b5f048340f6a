package instrument

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// target is a package that is rewritten.
type target struct {
	pkg     *packages.Package
	path    string // the import path it announces
	isCopy  bool   // the overlay shows it beside the original
	sources []*source
	shared  map[*types.TypeName]bool // of a copy: the interfaces that are the original's
	types   *types.Package
	info    *types.Info
}

// source is one file of a target.
type source struct {
	path   string // where the go command sees it
	open   string // the file that the user can open; it differs from path for a subject and for a copied library
	site   string // its name in the table of sites
	text   []byte
	syntax *ast.File
	left   string // why the file is left alone, if it is
}

// check parses the targets and checks their types: of foreign packages it reads the compiled export data.
func (p *program) check() error {
	if len(p.targets) == 0 {
		return fmt.Errorf("instrument: the tests of %s hold no package to instrument: sim and fakes are not, except for external test packages", p.build.Dir)
	}
	if err := p.addCopies(); err != nil {
		return err
	}
	checked := p.newImporter()
	for _, t := range p.targets {
		if err := p.parse(t); err != nil {
			return err
		}
		if err := p.checkTypes(t, checked); err != nil {
			return err
		}
	}
	p.facts = newFacts(p.targets)
	return nil
}

func (p *program) parse(t *target) error {
	for _, path := range t.pkg.CompiledGoFiles {
		s := p.newSource(t, path)
		text, err := os.ReadFile(s.open)
		if err != nil {
			return fmt.Errorf("instrument: %w", err)
		}
		s.text = text
		s.syntax, err = parser.ParseFile(p.fset, s.open, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return broken(t.path, strings.Split(err.Error(), "\n"))
		}
		s.left = leaveAlone(t.pkg, s)
		t.sources = append(t.sources, s)
	}
	return nil
}

// newSource names a file: the text of a subject is read from its replacement.
func (p *program) newSource(t *target, path string) *source {
	s := &source{path: path, open: path}
	if to := p.build.Replace[path]; to != "" {
		s.open = to
	}
	s.site = inModule(t.pkg.Module, s.open)
	if filepath.IsAbs(s.site) {
		s.site = inModule(t.pkg.Module, path)
	}
	if t.isCopy {
		s.site = t.pkg.PkgPath + "/" + filepath.Base(path)
		s.path = filepath.Join(p.module().Dir, copyDir, filepath.Base(t.path), filepath.Base(path))
	}
	return s
}

// inModule names a file relative to the module's root, with slashes, if it is there.
func inModule(module *packages.Module, path string) string {
	relative, err := filepath.Rel(module.Dir, path)
	if err != nil || relative == ".." || strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		return path
	}
	return filepath.ToSlash(relative)
}

// madeByCgo is why a file is left alone that stands for one which imports "C".
const madeByCgo = "it was made by cgo"

// leaveAlone tells why a file cannot be rewritten, if so.
func leaveAlone(pkg *packages.Package, s *source) string {
	written := false
	for _, path := range pkg.GoFiles {
		written = written || filepath.Base(path) == filepath.Base(s.path)
	}
	if !written {
		return madeByCgo
	}
	for _, group := range s.syntax.Comments {
		for _, comment := range group.List {
			if strings.HasPrefix(comment.Text, "//go:linkname ") {
				return "it uses go:linkname"
			}
		}
	}
	return ""
}

func (p *program) checkTypes(t *target, checked *targetImporter) error {
	var lines []string
	checked.from = t.pkg
	config := types.Config{
		Importer: checked,
		Sizes:    types.SizesFor("gc", build.Default.GOARCH),
		Error:    func(err error) { lines = append(lines, err.Error()) },
	}
	if t.pkg.Module != nil && t.pkg.Module.GoVersion != "" {
		config.GoVersion = "go" + t.pkg.Module.GoVersion
	}
	t.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	t.types, _ = config.Check(t.pkg.PkgPath, p.fset, t.syntax(), t.info)
	if lines != nil {
		return broken(t.path, lines)
	}
	if !t.isCopy {
		checked.done[t.pkg.PkgPath] = t.types
	}
	return nil
}

func (t *target) syntax() []*ast.File {
	files := make([]*ast.File, len(t.sources))
	for i, s := range t.sources {
		files[i] = s.syntax
	}
	return files
}

// targetImporter imports targets as they were checked from source, so that one variable is one object everywhere, and
// everything else from export data.
type targetImporter struct {
	from     *packages.Package // whose imports are looked up
	done     map[string]*types.Package
	compiled types.Importer
}

func (p *program) newImporter() *targetImporter {
	lookup := func(path string) (io.ReadCloser, error) {
		pkg := p.graph[path]
		if pkg == nil || pkg.ExportFile == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(pkg.ExportFile)
	}
	return &targetImporter{done: map[string]*types.Package{}, compiled: importer.ForCompiler(token.NewFileSet(), "gc", lookup)}
}

// Import implements types.Importer.
func (i *targetImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg := i.from.Imports[path]; pkg != nil {
		path = pkg.PkgPath
	}
	if done := i.done[path]; done != nil {
		return done, nil
	}
	return i.compiled.Import(path)
}
