package instrument

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// output is a file that the go command shall see.
type output struct {
	path string // where it sees it
	text string
}

// made is what instrumenting a program produced.
type made struct {
	files    []output
	packages []string
	sites    int
	notes    []string
}

func (m *made) add(file output) { m.files = append(m.files, file) }

func (m *made) result() Result {
	sort.Strings(m.packages)
	sort.Strings(m.notes)
	return Result{Packages: m.packages, Sites: m.sites, Notes: m.notes}
}

// overlay writes the files below the cache and returns the path of the overlay that shows them to the go command.
func (m *made) overlay(cache string, replace map[string]string) (string, error) {
	shown := map[string]string{}
	for from, to := range replace {
		shown[from] = to
	}
	for _, file := range m.files {
		path, err := store(cache, filepath.Base(file.path), file.text)
		if err != nil {
			return "", err
		}
		shown[file.path] = path
	}
	return writeOverlay(cache, shown)
}

// writeOverlay writes the JSON file that -overlay wants, and returns its path.
func writeOverlay(cache string, replace map[string]string) (string, error) {
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", fmt.Errorf("instrument: %w", err)
	}
	return store(cache, "overlay.json", string(text))
}

// store writes a file whose directory is named after the content, so that builds at the same time do not disturb each
// other and a build that changes nothing finds its packages compiled.
func store(cache, name, text string) (string, error) {
	sum := sha256.Sum256([]byte(text))
	dir := filepath.Join(cache, hex.EncodeToString(sum[:8]))
	path := filepath.Join(dir, name)
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("instrument: %w", err)
	}
	return path, writeWhole(path, text)
}

// writeWhole writes to a temporary name and renames, so that nobody sees half a file.
func writeWhole(path, text string) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return fmt.Errorf("instrument: %w", err)
	}
	_, err = temp.WriteString(text)
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
		return fmt.Errorf("instrument: %w", err)
	}
	return nil
}

// compile builds the test binary through the overlay.
func (b Build) compile(ctx context.Context, overlay string) error {
	if err := os.MkdirAll(filepath.Dir(b.Output), 0o755); err != nil {
		return fmt.Errorf("instrument: %w", err)
	}
	temp, err := os.MkdirTemp(filepath.Dir(b.Output), ".new-*")
	if err != nil {
		return fmt.Errorf("instrument: %w", err)
	}
	defer os.RemoveAll(temp)
	binary := filepath.Join(temp, filepath.Base(b.Output))
	args := append([]string{"test", "-c", "-vet=off", "-overlay=" + overlay, "-o", binary}, b.buildFlags()...)
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = b.Dir
	said, err := cmd.CombinedOutput()
	if err != nil {
		return b.notBuilt(string(said), err)
	}
	if err := os.Rename(binary, b.Output); err != nil {
		return fmt.Errorf("instrument: the tests of %s made no binary: add a test file, or set Build.Main: %w", b.Dir, err)
	}
	return nil
}

// buildFlags are the flags of the build itself.
func (b Build) buildFlags() []string {
	if b.Race {
		return append([]string{"-race"}, b.Flags...)
	}
	return b.Flags
}

func (b Build) notBuilt(said string, err error) error {
	if strings.Contains(said, hookPath) && strings.Contains(said, "no required module") {
		return fmt.Errorf("instrument: the module of %s does not require snapstorm: run go get %s", b.Dir, ownModule)
	}
	if strings.Contains(said, hookPath) && strings.Contains(said, "-mod=vendor") {
		return fmt.Errorf("instrument: the vendor directory for %s lacks snapstorm: import %s in a test file and run go mod vendor", b.Dir, simPath)
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if copied := usedAsCopies(said); copied != nil {
		return fmt.Errorf("instrument: the tests of %s hand a value of a copied library to a library that is not instrumented,"+
			" or take one from it; keep such a value (of %s) behind an interface, or move that code to this module\n%s",
			b.Dir, joined(copied), firstLines(lines))
	}
	return fmt.Errorf("instrument: the instrumented tests of %s do not build (%w): if the plain ones do, this is a defect of snapstorm\n%s",
		b.Dir, err, firstLines(lines))
}

// usedAsCopies lists the copies that the compiler names in complaints about types that do not match.
func usedAsCopies(said string) []string {
	var copied []string
	for _, library := range copiedLibraries {
		if strings.Contains(said, "/"+copyDir+"/"+path.Base(library)) && strings.Contains(said, library) {
			copied = append(copied, library)
		}
	}
	return copied
}
