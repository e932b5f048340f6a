package schemata

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program prints what its functions say.
const program = `package main

import (
	"flag"
	"fmt"
)

type speaker struct{ name string }

func (s speaker) say(words ...string) string { return fmt.Sprint(s.name, words) }

func greet() { fmt.Println(speaker{"a"}.say("x", "y")) }

func main() {
	flag.Parse()
	greet()
}
`

// changed is the program with one text in the place of another.
func changed(name, was, is string) Mutant {
	return Mutant{Name: name, Files: map[string]string{"main.go": strings.Replace(program, was, is, 1)}}
}

func module(t *testing.T) (dir string) {
	dir = t.TempDir()
	for name, text := range map[string]string{"main.go": program, "go.mod": "module example.com/speaker\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestEachNumberIsItsMutant: one binary is all of them, and as it was without a number.
func TestEachNumberIsItsMutant(t *testing.T) {
	dir := module(t)
	mutants := []Mutant{
		changed("mute", "fmt.Println(speaker", "fmt.Sprint(speaker"),
		changed("nameless", "s.name, words", "words"),
		changed("another", `speaker{"a"}`, `speaker{"b"}`),
	}
	if err := Write(dir, dir, mutants); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "speaker")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = dir
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for number, want := range map[string]string{"0": "a[x y]", "1": "", "2": "[x y]", "3": "b[x y]"} {
		got, err := exec.Command(binary, "-"+Flag+"="+number).CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("mutant %s: got %q, %v, want %q", number, got, err, want)
		}
	}
}

func TestWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		mutant Mutant
		want   string
	}{
		{changed("a new field", "name string", "name, more string"), "needs a test binary of its own"},
		{changed("nothing", "", ""), "changes nothing"},
		{changed("unused", "fmt.Println(speaker", "more := 1; fmt.Println(speaker"), `mutant "unused" does not compile`},
		{changed("broken", "greet() {", "greet() { ("), "expected"},
	} {
		dir := module(t)
		err := Write(dir, dir, []Mutant{changed("mute", "fmt.Println(speaker", "fmt.Sprint(speaker"), c.mutant})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.mutant.Name, err, c.want)
		}
	}
}
