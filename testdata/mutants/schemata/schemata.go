package schemata

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Mutant is a package with one mistake: the changed files, whole, by their names.
type Mutant struct {
	Name  string
	Files map[string]string
}

// Flag is the name of the flag that chooses the mutant: 1 is the first one, and 0 the package as it is.
const Flag = "mutant"

// chosen is the file that has the flag.
const chosen = `package %s

import "flag"

var chosenMutant = flag.Int("` + Flag + `", 0, "the number of the mutant that is run; 0 is none")
`

// Write writes, into a directory, the files that have to replace those of the package in another one, so that it is any of
// the mutants. It returns an error that names the mutants that cannot be put together so, or do not compile.
func Write(dir, to string, mutants []Mutant) error {
	files, err := combine(dir, mutants)
	if err != nil {
		return err
	}
	if err := check(dir, files, mutants); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(to, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Fits returns an error if a mutant changes more than bodies of functions.
func Fits(dir string, m Mutant) error {
	_, err := combine(dir, []Mutant{m})
	return err
}

// combine returns the files, and one with the flag.
func combine(dir string, mutants []Mutant) (map[string]string, error) {
	variants := map[string][]variant{}
	for i, m := range mutants {
		for name, changed := range m.Files {
			all, err := compare(filepath.Join(dir, name), changed)
			if err != nil {
				return nil, fmt.Errorf("mutant %q: %w", m.Name, err)
			}
			for _, v := range all {
				v.number = i + 1
				variants[name] = append(variants[name], v)
			}
		}
	}
	files := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(variants)) {
		f, err := parse(filepath.Join(dir, name), nil)
		if err != nil {
			return nil, err
		}
		text, err := f.with(variants[name])
		if err != nil {
			return nil, err
		}
		files[name], files["chosenmutant.go"] = text, fmt.Sprintf(chosen, f.syntax.Name.Name)
	}
	return files, nil
}

// with is the file with its variants.
func (f *file) with(variants []variant) (string, error) {
	slices.SortStableFunc(variants, func(a, b variant) int { return a.number - b.number })
	var text strings.Builder
	at := 0
	for _, d := range f.syntax.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil {
			continue
		}
		mine := slices.DeleteFunc(slices.Clone(variants), func(v variant) bool { return v.function != key(decl) })
		if len(mine) == 0 {
			continue
		}
		dispatch, err := f.dispatch(decl, mine)
		if err != nil {
			return "", err
		}
		body := f.offset(decl.Body.Lbrace) + 1
		text.WriteString(f.text[at:body] + dispatch)
		at = body
	}
	text.WriteString(f.text[at:])
	for _, v := range variants {
		text.WriteString("\n" + v.text() + "\n")
	}
	formatted, err := format.Source([]byte(text.String()))
	return string(formatted), err
}

// dispatch is what a function begins with.
func (f *file) dispatch(decl *ast.FuncDecl, variants []variant) (string, error) {
	call := ""
	if decl.Recv != nil {
		names := decl.Recv.List[0].Names
		if len(names) == 0 {
			return "", f.nameless(decl, "the receiver")
		}
		call = names[0].Name + "."
	}
	arguments, err := f.arguments(decl)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("\n\tswitch *chosenMutant {")
	for _, v := range variants {
		fmt.Fprintf(&b, "\n\tcase %d:\n\t\t", v.number)
		if decl.Type.Results != nil {
			b.WriteString("return ")
		}
		b.WriteString(call + v.name() + "(" + arguments + ")")
		if decl.Type.Results == nil {
			b.WriteString("\n\t\treturn")
		}
	}
	return b.String() + "\n\t};", nil
}

func (f *file) arguments(decl *ast.FuncDecl) (string, error) {
	var names []string
	for _, field := range decl.Type.Params.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
		if len(field.Names) == 0 || slices.Contains(names, "_") {
			return "", f.nameless(decl, "each parameter")
		}
		if _, variadic := field.Type.(*ast.Ellipsis); variadic {
			names[len(names)-1] += "..."
		}
	}
	return strings.Join(names, ", "), nil
}

func (f *file) nameless(decl *ast.FuncDecl, what string) error {
	return fmt.Errorf("%s: %s needs a name to be handed on to mutants of the function: give it one", f.position(decl.Pos()), what)
}

func (f *file) position(at token.Pos) token.Position { return f.fset.Position(at) }
