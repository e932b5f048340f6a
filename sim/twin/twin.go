package twin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/snapstorm/snapstorm/sim/instrument"
	"github.com/snapstorm/snapstorm/sim/internal/atomicfile"
)

// Variable is the environment variable by which a twin knows that it is one. It holds an Info as JSON.
const Variable = "SNAPSTORM_TWIN"

// ExitMisuse is the exit code of a twin that has nothing to judge: EX_USAGE of BSD's sysexits.h. Go ends a process that
// panics with 2.
const ExitMisuse = 64

// Info says what a twin is a twin of.
type Info struct {
	Package   string   // import path
	Dir       string   // the package's directory
	ModuleDir string   // the module's directory
	Subject   string   // directory of the files that replace the package's own, relative to the module; "" for its own
	Packages  []string // the instrumented packages
	Notes     []string // what was left alone
}

// Name is the name of what is tested: the subject's, or the package's last element.
func (i Info) Name() string {
	if i.Subject != "" {
		return path.Base(i.Subject)
	}
	return path.Base(i.Package)
}

// Request says which twin is wanted.
type Request struct {
	Dir     string // the package's directory
	Subject string // directory of files that replace the package's own, relative to the module or absolute; "" for its own
	Race    bool
	Flags   []string // further build flags
	Key     string   // of what the twin is built from, apart from the fields above
	Main    bool     // give the tests a TestMain if they have none
}

// Twin is a built twin.
type Twin struct {
	Path string
	Info Info
}

// Environ returns the environment to run the twin in.
func (t Twin) Environ(base []string) []string {
	text, err := json.Marshal(t.Info)
	if err != nil {
		panic(err) // strings can always be marshaled
	}
	env := slices.DeleteFunc(slices.Clone(base), func(s string) bool {
		return strings.HasPrefix(s, Variable+"=")
	})
	// The detector waits for a second at the end of a process, for reports that may come; nothing runs free here.
	race := strings.TrimSpace(os.Getenv("GORACE") + " atexit_sleep_ms=0")
	return append(env, Variable+"="+string(text), "GORACE="+race)
}

// Build returns the twin, after building it if it is not in the cache.
func (r Request) Build() (Twin, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return Twin{}, fmt.Errorf("no cache directory: %w: set HOME or XDG_CACHE_HOME", err)
	}
	cache = filepath.Join(cache, "snapstorm")
	subject, err := r.subject()
	if err != nil {
		return Twin{}, err
	}
	dir := filepath.Join(cache, "twins", r.sum(subject))
	if t, err := load(dir); err == nil {
		return t, Use(t.Path)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Twin{}, err
	}
	t, err := r.build(cache, dir, subject)
	if err != nil {
		os.RemoveAll(dir)
		return Twin{}, err
	}
	return t, errors.Join(save(dir, t), prune(filepath.Join(cache, "twins")))
}

func (r Request) build(cache, dir string, subject subject) (Twin, error) {
	t := Twin{Path: filepath.Join(dir, "test"), Info: Info{Dir: r.Dir, ModuleDir: subject.module}}
	var err error
	if t.Info.Package, err = importPath(r.Dir); err != nil {
		return t, err
	}
	if subject.dir != "" {
		rel, err := filepath.Rel(subject.module, subject.dir)
		if err != nil {
			return t, err
		}
		t.Info.Subject = filepath.ToSlash(rel)
	}
	result, err := instrument.Build{
		Dir: r.Dir, Replace: subject.replace, Race: r.Race, Flags: r.Flags, Main: r.Main,
		Cache: filepath.Join(cache, "instrumented"), Output: t.Path,
	}.Run(context.Background())
	t.Info.Packages, t.Info.Notes = result.Packages, result.Notes
	return t, err
}

func importPath(dir string) (string, error) {
	cmd := exec.Command("go", "list", "-f", "{{.ImportPath}}", ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("%s: %s", dir, strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return "", fmt.Errorf("the go command is needed to build the instrumented test binary: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

const infoFile = "twin.json"

func load(dir string) (Twin, error) {
	text, err := os.ReadFile(filepath.Join(dir, infoFile))
	if err != nil {
		return Twin{}, err
	}
	t := Twin{}
	if err := json.Unmarshal(text, &t); err != nil {
		return t, err
	}
	_, err = os.Stat(t.Path)
	return t, err
}

func save(dir string, t Twin) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, infoFile), text)
}

// maxTwins is how many twins the cache keeps; one with the Kubernetes packages has 50 MB.
const maxTwins = 20

// inUse is for how long after its last use a twin may still be running.
const inUse = time.Hour

// Use says that the twin at path is used now, so that no other build removes it.
func Use(path string) error {
	now := time.Now()
	return os.Chtimes(filepath.Dir(path), now, now)
}

// prune removes the twins that were used longest ago.
func prune(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= maxTwins {
		return err
	}
	used := func(e os.DirEntry) time.Time {
		if i, err := e.Info(); err == nil {
			return i.ModTime()
		}
		return time.Now() // another build has just removed it
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return used(a).Compare(used(b)) })
	for _, e := range entries[:len(entries)-maxTwins] {
		if time.Since(used(e)) < inUse {
			return nil
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
