package instrument

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// newBuild is a build of dir into directories of the test.
func newBuild(t *testing.T, dir string) Build {
	t.Helper()
	out := t.TempDir()
	return Build{Dir: dir, Cache: filepath.Join(out, "cache"), Output: filepath.Join(out, "bin", "x.test")}
}

// A program with every construct says the same, instrumented, as plain.
func TestInstrumentedProgramSaysTheSame(t *testing.T) {
	dir := constructs(t)
	b := newBuild(t, dir)
	result, err := b.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	plain := lines(t, dir, "go", "test", "-vet=off", "-count=1", "-run=TestRun", "-v", ".")
	got := lines(t, dir, b.Output, "-test.run=TestRun", "-test.v")
	if got != plain {
		t.Errorf("instrumented:\n%s\nplain:\n%s", got, plain)
	}
	if strings.Count(got, "line:") < 10 {
		t.Errorf("the program says too little: %s", got)
	}
	want := "example.com/constructs"
	for _, name := range []string{"clock", "errgroup", "semaphore", "singleflight", "workqueue"} {
		want += " example.com/constructs/snapstorm_copy/" + name
	}
	want += " example.com/constructs_test"
	if got := strings.Join(result.Packages, " "); got != want {
		t.Errorf("packages: got %s, want %s", got, want)
	}
	t.Logf("%d sites", result.Sites)
}

// lines runs a command and returns what the program says.
func lines(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	var said []string
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "line:") {
			said = append(said, line)
		}
	}
	return strings.Join(said, "")
}
