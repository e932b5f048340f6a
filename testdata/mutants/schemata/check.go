package schemata

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// check checks the types of the package with the files in it.
func check(dir string, files map[string]string, mutants []Mutant) error {
	overlay := map[string][]byte{}
	for name, text := range files {
		path, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		overlay[path] = []byte(text)
	}
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports
	found, err := packages.Load(&packages.Config{Dir: dir, Mode: mode, Overlay: overlay}, ".")
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	var wrong []error
	for _, e := range found[0].Errors {
		wrong = append(wrong, blame(e, files, mutants))
	}
	return errors.Join(wrong...)
}

var copied = regexp.MustCompile(`^func .*Mutant(\d+)\(`)

// blame says which mutant an error is of: the one whose function begins last in front of it.
func blame(e packages.Error, files map[string]string, mutants []Mutant) error {
	parts := strings.Split(e.Pos, ":")
	if len(parts) < 3 {
		return e
	}
	line, _ := strconv.Atoi(parts[1])
	lines := strings.Split(files[filepath.Base(parts[0])], "\n")
	for at := min(line, len(lines)) - 1; at >= 0; at-- {
		if m := copied.FindStringSubmatch(lines[at]); m != nil {
			number, _ := strconv.Atoi(m[1])
			return fmt.Errorf("mutant %q does not compile: %s: mend it, or its operator, in testdata/mutants", mutants[number-1].Name, e.Msg)
		}
	}
	return e
}
