package twin

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"hash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// OfThisBinary asks for the twin of the test binary that is running, whose working directory is its package's. The
// binary's own content is the key: it was built from the same sources.
func OfThisBinary(subject string) (Request, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Request{}, err
	}
	h := sha256.New()
	if err := hashSelf(h); err != nil {
		return Request{}, err
	}
	r := Request{Dir: dir, Subject: subject, Race: sched.RaceEnabled, Key: sumOf(h)}
	if b, ok := debug.ReadBuildInfo(); ok {
		for _, s := range b.Settings {
			if s.Key == "-tags" {
				r.Flags = append(r.Flags, "-tags="+s.Value)
			}
		}
	}
	return r, nil
}

func hashSelf(h io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return hashFile(h, self)
}

func hashFile(h io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}

func sumOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// OfPackage asks for the twin of the tests of the package in dir. The key is the content of every file that they are
// built from, apart from modules that have a version, and of the program that calls this.
func OfPackage(dir, subject string, race bool, flags []string) (Request, error) {
	cmd := exec.Command("go", append(append([]string{"list", "-e", "-deps", "-test", "-json=Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,EmbedFiles,Module,Standard"}, flags...), ".")...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return Request{}, fmt.Errorf("%s: go list: %w", dir, err)
	}
	h := sha256.New()
	if err := errors.Join(hashSelf(h), hashListed(h, string(out))); err != nil {
		return Request{}, err
	}
	return Request{Dir: dir, Subject: subject, Race: race, Flags: flags, Key: sumOf(h), Main: true}, nil
}

// listed is what go list tells of a package.
type listed struct {
	Dir                                                      string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles, EmbedFiles []string
	Standard                                                 bool
	Module                                                   *struct {
		Path, Version, GoMod string
		Replace              *struct{ Version string }
	}
}

func hashListed(h io.Writer, text string) error {
	decoder := json.NewDecoder(strings.NewReader(text))
	for {
		var p listed
		if err := decoder.Decode(&p); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if p.Standard || p.Module == nil {
			continue
		}
		if v := p.Module.Version; v != "" && (p.Module.Replace == nil || p.Module.Replace.Version != "") {
			fmt.Fprintln(h, p.Dir) // its path in the module cache has the version
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles, p.EmbedFiles) {
			file := name
			if !filepath.IsAbs(file) {
				file = filepath.Join(p.Dir, name)
			}
			fmt.Fprintln(h, file)
			if err := hashFile(h, file); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
	}
}

// Replaced returns the files that stand in for those of a package when a subject is tested, by the paths of those.
func Replaced(dir, subject string) (map[string]string, error) {
	s, err := Request{Dir: dir, Subject: subject}.subject()
	return s.replace, err
}

// subject is the set of files that replace a package's own.
type subject struct {
	module  string // directory of the module
	dir     string
	replace map[string]string
}

// subject finds the files: those of the same name replace the package's, others are added.
func (r Request) subject() (subject, error) {
	module, err := ModuleDir(r.Dir)
	if err != nil || r.Subject == "" {
		return subject{module: module}, err
	}
	s := subject{module: module, dir: r.Subject, replace: map[string]string{}}
	if !filepath.IsAbs(s.dir) {
		s.dir = filepath.Join(module, s.dir)
	}
	return s, s.add(r.Dir, s.dir)
}

// upon is the file in a subject's directory that names another one, relative to it: the subject is that one, but for the
// files of its own.
const upon = "upon"

// add lays the files of a subject's directory over the package in dir, and over the files of the subject that it is built upon.
func (s subject) add(dir, from string) error {
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("there are no Go files in %s: a subject is a directory of files that replace the package's own", from)
	}
	switch name, err := os.ReadFile(filepath.Join(from, upon)); {
	case err == nil:
		below := filepath.Join(from, strings.TrimSpace(string(name)))
		if _, err := os.Stat(filepath.Join(below, upon)); err == nil {
			return fmt.Errorf("%s names %s, which is built upon another one itself: name that one", filepath.Join(from, upon), below)
		}
		if err := s.add(dir, below); err != nil {
			return err
		}
	case !os.IsNotExist(err):
		return err
	}
	if err := samePackage(dir, files); err != nil {
		return err
	}
	for _, f := range files {
		s.replace[filepath.Join(dir, filepath.Base(f))] = f
	}
	return nil
}

// samePackage returns an error for a file of a subject that is of another package than those that it should stand in for.
func samePackage(dir string, files []string) error {
	own, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	name, at := "", ""
	for _, f := range slices.Concat(own, files) {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.PackageClauseOnly)
		switch {
		case err != nil: // the compiler says more
		case name == "":
			name, at = parsed.Name.Name, f
		case parsed.Name.Name != name:
			return fmt.Errorf("%s is of package %s, and %s of package %s: the files of a subject replace those of the package under test", f, parsed.Name.Name, at, name)
		}
	}
	return nil
}

// InModule finds a file that a person named, as an absolute path. What is not here is looked for in the module's directory, to
// which the paths in reports are relative.
func InModule(name string) (string, error) {
	here, err := filepath.Abs(name)
	if err != nil || filepath.IsAbs(name) {
		return here, err
	}
	there := here
	if module, err := ModuleDir(filepath.Dir(here)); err == nil {
		there = filepath.Join(module, name)
	}
	for _, path := range []string{here, there} {
		info, err := os.Stat(path)
		switch {
		case err == nil && info.IsDir():
			return "", fmt.Errorf("%s is a directory: name a file", name)
		case err == nil:
			return path, nil
		}
	}
	if there == here {
		return "", fmt.Errorf("there is no file %s", here)
	}
	return "", fmt.Errorf("there is no file %s, and none %s", here, there)
}

// ModuleDir finds the directory with the go.mod of a package's module.
func ModuleDir(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("no go.mod at or above %s: tests run in the directory of their package", dir)
		}
	}
}

// sum is the name of the twin's directory.
func (r Request) sum(s subject) string {
	h := sha256.New()
	fmt.Fprintln(h, r.Key, r.Dir, r.Race, r.Flags, r.Main, os.Getenv("GOFLAGS"), s.dir)
	paths := make([]string, 0, len(s.replace))
	for _, path := range s.replace {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		fmt.Fprintln(h, path)
		if err := hashFile(h, path); err != nil {
			fmt.Fprintln(h, err) // building will fail with the same error
		}
	}
	return sumOf(h)[:32]
}
