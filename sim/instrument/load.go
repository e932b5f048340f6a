package instrument

import (
	"context"
	"fmt"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
)

const (
	ownModule = "github.com/snapstorm/snapstorm"
	hookPath  = ownModule + "/sim/hook"
	simPath   = ownModule + "/sim"
	fakesPath = ownModule + "/fakes"
)

// program is a test binary, loaded.
type program struct {
	build   Build
	fset    *token.FileSet
	root    *packages.Package // the test binary, or the package when it has no tests yet
	graph   map[string]*packages.Package
	targets []*target          // what a target imports stands before it; copies of libraries come last
	copies  map[string]*target // by the import path of the original
	facts   facts
}

// loadMode asks the go command for the graph and for compiled export data in one go, so that the foreign packages are
// compiled once, for the loader and for the build.
const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedDeps | packages.NeedModule | packages.NeedExportFile | packages.NeedForTest

// load finds the packages of the test binary and checks the types of those that will be rewritten.
func (b Build) load(ctx context.Context) (*program, error) {
	b, err := b.settled()
	if err != nil {
		return nil, err
	}
	overlay, err := writeOverlay(b.Cache, b.Replace)
	if err != nil {
		return nil, err
	}
	config := &packages.Config{Context: ctx, Dir: b.Dir, Tests: true, Mode: loadMode,
		BuildFlags: append([]string{"-overlay=" + overlay}, listFlags(b.buildFlags())...)}
	found, err := packages.Load(config, ".")
	if err != nil {
		return nil, fmt.Errorf("instrument: cannot list the packages of %s: %w", b.Dir, err)
	}
	p := &program{build: b, fset: token.NewFileSet(), graph: map[string]*packages.Package{}}
	if p.root = rootOf(found); p.root == nil {
		return nil, b.notListed(ctx)
	}
	if err := loadErrors(found); err != nil {
		return nil, err
	}
	p.walk(p.root)
	if err := p.check(); err != nil {
		return nil, err
	}
	return p, nil
}

// notListed reports that the go command found no package, in its own words if it has any.
func (b Build) notListed(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"list", "-test"}, listFlags(b.buildFlags())...), ".")...)
	cmd.Dir = b.Dir
	said, err := cmd.CombinedOutput()
	if err == nil {
		return fmt.Errorf("instrument: there is no package in %s: name the directory of a package", b.Dir)
	}
	return broken(b.Dir, strings.Split(strings.TrimSpace(string(said)), "\n"))
}

// listFlags drops what go list does not know.
func listFlags(flags []string) []string {
	var known []string
	for _, flag := range flags {
		if !strings.HasPrefix(strings.TrimLeft(flag, "-"), "fuzz") {
			known = append(known, flag)
		}
	}
	return known
}

// rootOf returns the test binary, whose identity ends in ".test", or else the package itself.
func rootOf(found []*packages.Package) *packages.Package {
	for _, p := range found {
		if isTestBinary(p) {
			return p
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

func isTestBinary(p *packages.Package) bool {
	return p.Name == "main" && strings.HasSuffix(p.ID, ".test")
}

// loadErrors reports what the go command says about the packages.
func loadErrors(found []*packages.Package) error {
	var path string
	var lines []string
	seen := map[string]bool{}
	packages.Visit(found, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			line := strings.TrimSpace(strings.TrimPrefix(e.Error(), "-: "))
			if path == "" {
				path = p.PkgPath
			}
			if !seen[line] {
				seen[line] = true
				lines = append(lines, line)
			}
		}
	})
	if lines == nil {
		return nil
	}
	return broken(path, lines)
}

// walk fills the graph, and the targets in order of their imports.
func (p *program) walk(pkg *packages.Package) {
	if p.graph[pkg.PkgPath] != nil {
		return
	}
	p.graph[pkg.PkgPath] = pkg
	for _, path := range sortedKeys(pkg.Imports) {
		p.walk(pkg.Imports[path])
	}
	if isTarget(pkg) {
		p.targets = append(p.targets, &target{pkg: pkg, path: pkg.PkgPath})
	}
}

// isTarget tells whether the package is rewritten.
func isTarget(pkg *packages.Package) bool {
	if pkg.Module == nil || !pkg.Module.Main || isTestBinary(pkg) || len(pkg.CompiledGoFiles) == 0 {
		return false
	}
	external := pkg.ForTest != "" && strings.HasSuffix(pkg.Name, "_test")
	return external || !isOwn(pkg.PkgPath)
}

// isOwn tells whether the package belongs to the simulation itself, which names its points by hand.
func isOwn(path string) bool {
	return below(path, simPath) || below(path, fakesPath)
}

func below(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}

// isForeign tells whether calls of functions declared in the package leave what the scheduler knows.
func (p *program) isForeign(path string) bool {
	pkg := p.graph[path]
	if pkg == nil || pkg.Module == nil || isOwn(path) || p.copies[path] != nil {
		return false
	}
	return !isTarget(pkg)
}

// module is the main module that the package under test belongs to.
func (p *program) module() *packages.Module {
	for _, t := range p.targets {
		if len(t.pkg.GoFiles) > 0 && filepath.Dir(t.pkg.GoFiles[0]) == p.build.Dir {
			return t.pkg.Module
		}
	}
	if p.root.Module != nil {
		return p.root.Module
	}
	return p.targets[0].pkg.Module
}

// notes tell which files of the user's are left alone. Those that import "C" are not compiled themselves.
func (p *program) notes() []string {
	var notes []string
	for _, t := range p.targets {
		for _, s := range t.sources {
			if s.left != "" && s.left != madeByCgo {
				notes = append(notes, fmt.Sprintf("%s is left as it is: %s", s.site, s.left))
			}
		}
		for _, path := range t.pkg.GoFiles {
			if !slices.Contains(t.pkg.CompiledGoFiles, path) {
				notes = append(notes, fmt.Sprintf("%s is left as it is: it imports \"C\"", inModule(t.pkg.Module, path)))
			}
		}
	}
	sort.Strings(notes)
	return notes
}
