package instrument

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Build says which test binary to build. The zero value builds the tests of the current directory, but needs Cache and
// Output.
type Build struct {
	// Dir is the directory of the package under test.
	Dir string
	// Replace maps the path of a file of the module to the path of the file whose text takes its place. A file that the
	// module does not have is added; an empty replacement removes the file.
	Replace map[string]string
	// Race builds with the race detector.
	Race bool
	// Flags are further build flags, such as -tags=x. -fuzz=X, which builds for guided fuzzing, may be among them.
	// -cover may not: the go command ignores an overlay then.
	Flags []string
	// Cache receives the instrumented files. It is created. Two builds may share it at the same time.
	Cache string
	// Output is the path of the binary. It is replaced at once, never half-written.
	Output string
	// Main adds a TestMain that calls sim.Main when the package's tests have none.
	Main bool
}

// Result tells what was built.
type Result struct {
	// Packages are the import paths that were instrumented, sorted. Each announces itself when the binary starts.
	Packages []string
	// Sites is the number of rewritten operations in all of them.
	Sites int
	// Notes tell what was left alone, one line each, sorted.
	Notes []string
}

// Run instruments and builds. An error names a package that does not exist or does not compile, or every construct that
// is not supported, with file, line and the mend. Nothing is written to the module.
func (b Build) Run(ctx context.Context) (Result, error) {
	prog, err := b.load(ctx)
	if err != nil {
		return Result{}, err
	}
	b = prog.build
	made, err := prog.instrument()
	if err != nil {
		return Result{}, err
	}
	if b.Main && !prog.hasTestMain() {
		made.add(prog.testMain())
	}
	overlay, err := made.overlay(b.Cache, b.Replace)
	if err != nil {
		return Result{}, err
	}
	return made.result(), b.compile(ctx, overlay)
}

// settled returns the build with absolute paths, after a look at what can be known to be wrong.
func (b Build) settled() (Build, error) {
	if b.Cache == "" || b.Output == "" {
		return b, fmt.Errorf("instrument: Build.Cache and Build.Output are needed: name a directory and a file")
	}
	for _, flag := range b.Flags {
		if strings.HasPrefix(strings.TrimLeft(flag, "-"), "cover") {
			return b, fmt.Errorf("instrument: the go command ignores the overlay with %s: measure coverage in a run without the scheduler", flag)
		}
	}
	for _, path := range []*string{&b.Dir, &b.Cache, &b.Output} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return b, fmt.Errorf("instrument: %w", err)
		}
		*path = absolute
	}
	if info, err := os.Stat(b.Dir); err != nil || !info.IsDir() {
		return b, fmt.Errorf("instrument: there is no directory %s: name the directory of a package", b.Dir)
	}
	replace, err := absoluteReplace(b.Replace)
	b.Replace = replace
	return b, err
}

func absoluteReplace(replace map[string]string) (map[string]string, error) {
	absolute := map[string]string{}
	for _, from := range sortedKeys(replace) {
		path, err := filepath.Abs(from)
		if err != nil {
			return nil, fmt.Errorf("instrument: %w", err)
		}
		to := replace[from]
		if to != "" {
			if to, err = filepath.Abs(to); err != nil {
				return nil, fmt.Errorf("instrument: %w", err)
			}
			if _, err := os.Stat(to); err != nil {
				return nil, fmt.Errorf("instrument: there is no file %s to take the place of %s: correct the path in Build.Replace", to, from)
			}
		}
		absolute[path] = to
	}
	return absolute, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
