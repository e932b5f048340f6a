package instrument

import (
	"go/ast"
	"path/filepath"
	"strings"
)

// hasTestMain tells whether the package under test has a TestMain of its own.
func (p *program) hasTestMain() bool {
	for _, t := range p.targets {
		for _, s := range t.sources {
			if filepath.Dir(s.path) == p.build.Dir && declaresTestMain(s) {
				return true
			}
		}
	}
	return false
}

func declaresTestMain(s *source) bool {
	for _, decl := range s.syntax.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && isTestMain(fn) {
			return true
		}
	}
	return false
}

func isTestMain(fn *ast.FuncDecl) bool {
	return fn != nil && fn.Recv == nil && fn.Name.Name == "TestMain"
}

// testMain is the file that runs the tests under the scheduler. It is an external test, since sim may import the
// package under test.
func (p *program) testMain() output {
	return output{
		path: filepath.Join(p.build.Dir, "snapstorm_main_test.go"),
		text: "package " + p.packageName() + "_test\n\n" +
			"import (\n\t\"testing\"\n\n\t\"" + simPath + "\"\n)\n\n" +
			"func TestMain(m *testing.M) { sim.Main(m) }\n",
	}
}

// packageName is the name of the package in the directory under test.
func (p *program) packageName() string {
	for _, path := range sortedKeys(p.graph) {
		pkg := p.graph[path]
		if len(pkg.GoFiles) > 0 && filepath.Dir(pkg.GoFiles[0]) == p.build.Dir {
			return strings.TrimSuffix(pkg.Name, "_test")
		}
	}
	return p.root.Name
}
