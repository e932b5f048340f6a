package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/snapstorm/snapstorm/sim/tape"
	"github.com/snapstorm/snapstorm/sim/twin"
)

// A package with a deadlock, one that does nothing, one that does not compile.
var misusePackages = map[string]string{
	"stuck/stuck.go": "package stuck\n\n// Run sends and nobody receives.\nfunc Run() {\n\tprintln(\"about to send\")\n\tmake(chan int) <- 1\n}\n",
	"stuck/stuck_test.go": testOf("stuck", `w.Start(sim.Program{Name: "p", Main: func(context.Context) { stuck.Run() }})`) +
		"\nfunc TestOther(t *testing.T) { sim.Check(t, func(w *sim.World) { w.Go(\"a\", func(context.Context) { stuck.Run() }) }) }\n",
	"dead/dead_test.go": strings.Replace(testOf("stuck", `_, _ = context.Background, stuck.Run`), "import (", "import (\n\t\"os\"", 1) + "\nfunc TestDies(*testing.T) { panic(\"a plain test has died\") }\n\nfunc TestKilled(*testing.T) { p, _ := os.FindProcess(os.Getpid()); p.Kill(); select {} }\n",
	"busy/busy_test.go": strings.ReplaceAll(testOf("stuck", `w.Start(sim.Program{Name: "p", Main: func(context.Context) { for c := make(chan int, 1); ; <-c { c <- 1 } }}); _ = stuck.Run`), "sim.Check(t,", "sim.CheckWith(t, sim.Options{MaxSteps: 1 << 40},"),
	"idle/idle.go":      "package idle\n\n// Run does nothing.\nfunc Run() {}\n",
	"idle/idle_test.go": testOf("idle", `_, _ = context.Background, idle.Run`),
	"half/half_test.go": strings.Replace(testOf("idle", `_, _ = context.Background, idle.Run`), "func TestIt", `func TestOther(t *testing.T) {
	sim.Check(t, func(w *sim.World) { w.Start(sim.Program{Name: "p", Main: func(context.Context) { c := make(chan int, 1); c <- 1 }}) })
}

func TestIt`, 1),
	"broken/broken.go":      "package broken\n\n// Run does not compile.\nfunc Run() int { return \"one\" }\n",
	"main/main.go":          "package main\n\nfunc main() {}\n",
	"main/main_test.go":     "package main\n\nimport (\n\t\"testing\"\n\n\t\"github.com/snapstorm/snapstorm/sim\"\n)\n\nfunc TestMain(m *testing.M) { sim.Main(m) }\n",
	"broken/broken_test.go": testOf("broken", `_, _ = context.Background, broken.Run`),
}

func testOf(pkg, scenario string) string {
	return `package ` + pkg + `_test

import (
	"context"
	"testing"

	"example.com/misuse/` + pkg + `"
	"github.com/snapstorm/snapstorm/sim"
)

func TestIt(t *testing.T) { sim.Check(t, func(w *sim.World) { ` + scenario + ` }) }
`
}

// tool is the command, built, with the module that it is used in.
type tool struct {
	t    *testing.T
	path string
	dir  string
}

func newTool(t *testing.T) tool {
	t.Helper()
	dir := newModule(t, "example.com/misuse", nil)
	for name, text := range misusePackages {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	path := filepath.Join(t.TempDir(), "snapstorm")
	output, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	require.NoError(t, err, "%s", output)
	return tool{t, path, dir}
}

// run returns the exit code and what the command printed.
func (u tool) run(args ...string) (code int, stdout, stderr string) {
	u.t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(u.path, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = u.dir, &out, &errs
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// refused checks that a call ends with exit code 2 and says why in its first line.
func (u tool) refused(why string, args ...string) {
	u.t.Helper()
	code, _, stderr := u.run(args...)
	assert.Equal(u.t, 2, code, "%s: %s", strings.Join(args, " "), stderr)
	_, said, ok := strings.Cut(stderr, "snapstorm: ")
	assert.True(u.t, ok, stderr)
	first, _, _ := strings.Cut(said, "\n")
	assert.Contains(u.t, first, why, strings.Join(args, " "))
}

func TestMisuse(t *testing.T) {
	u := newTool(t)
	u.refused(`there is no command "explode"`, "explode")
	u.refused("-frobnicate", "test", "-frobnicate", "./stuck")
	u.refused("frobnicate", "test", "./stuck", "--", "-frobnicate")
	u.refused(`there is no strategy "nonsense"`, "test", "./stuck", "--", "-sim.strategy=nonsense")
	u.refused("want sync or shared", "test", "./stuck", "--", "-sim.points=everywhere")
	u.refused("nowhere", "test", "./nowhere")
	u.refused("broken.go:4", "test", "./broken")
	u.refused("no point was reached", "test", "./idle")
	u.refused("TestIt: no point was reached", "test", "./half")
	u.refused("is of package idle", "test", "-subject", "idle", "./stuck")
	u.refused("is a directory", "replay", "idle")
	u.refused("there are no Go files", "test", "-subject", "idle/nothing", "./stuck")
	u.refused("there is no file ", "replay", "missing.tape")
	u.refused("want one tape", "replay")

	found := u.findStuck()
	below := tool{t, u.path, filepath.Join(u.dir, "stuck")}
	code, stdout, _ := below.run("replay", "tapes/"+filepath.Base(found))
	assert.Equal(t, 1, code)
	assert.Contains(t, stdout, "shown again by 10 of 10 replays, hash equal in 10 of 10")
	assert.Equal(t, 1, strings.Count(stdout, "about to send\n"))

	u.timeline(found)
	code, stdout, _ = u.run("shrink", found)
	assert.Equal(t, 1, code)
	assert.Contains(t, stdout, "0 of 0 choices are left")
	u.refused("want one tape", "shrink")

	u.refused("which this package does not come to", "replay", u.edit(found, "test\tTestIt", "test\tTestGone"))
	u.refused("no point was reached", "replay", u.edit(found, "package\texample.com/misuse/stuck", "package\texample.com/misuse/idle"))
	u.refused("example.com/misuse/gone", "replay", u.edit(found, "package\texample.com/misuse/stuck", "package\texample.com/misuse/gone"))
	u.refused("line 1: want", "replay", u.edit(found, "snapstorm tape 2", "snapstorm tape 1"))
	u.refused("line 10: seed", "replay", u.edit(found, "\nseed\t1\n", "\nseed\t"))
	u.refused("is cut off", "replay", u.edit(found, "end\t0\n", "end\t"))
	u.refused("the tape does not fit this code any more at its entry 1 (switch 3/7 p stuck.go:1 x)", "replay",
		u.edit(found, "end\t0\n", "1\tswitch\t3/7\t@0\tp\tstuck.go:1\tx\t\nend\t1\n"))
	u.refused("want a question", "replay", u.edit(found, "end\t0\n", "1\tswitch\t7/3\t@0\tp\tstuck.go:1\tx\t\nend\t1\n"))
}

// TestBrokenOnce: a package and its test variant do not say the same twice.
func TestBrokenOnce(t *testing.T) {
	_, _, stderr := newTool(t).run("test", "./broken")
	assert.Equal(t, 1, strings.Count(stderr, "broken.go:4"), stderr)
}

// TestAPlainTestDies: the go command calls that a failure, and it is none of the user's command line.
func TestAPlainTestDies(t *testing.T) {
	u := newTool(t)
	code, _, stderr := u.run("test", "./dead", "--", "-test.run=TestDies", "-sim.json=all.json")
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "a plain test has died")
	text, err := os.ReadFile(filepath.Join(u.dir, "all.json"))
	require.NoError(t, err)
	assert.Equal(t, "[]\n", string(text))
}

// TestAPlainTestIsKilled: what ends a test binary from outside, or nobody knows how, is no finding.
func TestAPlainTestIsKilled(t *testing.T) {
	newTool(t).refused("was ended by others than its tests: signal: killed", "test", "./dead", "--", "-test.run=TestKilled")
}

// TestCoverIsRefused: with -cover the go command leaves the overlay out, so nothing would be under the scheduler.
func TestCoverIsRefused(t *testing.T) {
	u := newTool(t)
	for flag, want := range map[string]int{"-cover": twin.ExitMisuse, "-v": 0} {
		binary := filepath.Join(t.TempDir(), "main.test")
		build := exec.Command("go", "test", "-c", "-o", binary, flag, "./main")
		build.Dir = u.dir
		output, err := build.CombinedOutput()
		require.NoError(t, err, "%s", output)
		cmd := exec.Command(binary)
		cmd.Dir = filepath.Join(u.dir, "main")
		output, _ = cmd.CombinedOutput()
		assert.Equal(t, want, cmd.ProcessState.ExitCode(), "%s", output)
		if want != 0 {
			assert.Contains(t, string(output), "-cover: the go command does not instrument for both")
		}
	}
}

// findStuck runs the package with a bug and returns the tape.
func (u tool) findStuck() string {
	u.t.Helper()
	code, stdout, stderr := u.run("test", "./stuck", "--", "-test.run=TestIt", "-sim.schedules=3", "-sim.out=tapes")
	require.Equal(u.t, 1, code, stderr)
	require.Contains(u.t, stdout, "make(chan int) <- 1 at stuck/stuck.go:6")
	tapes, err := filepath.Glob(filepath.Join(u.dir, "tapes", "*.tape"))
	require.NoError(u.t, err)
	require.Len(u.t, tapes, 1)
	printed := strings.TrimSuffix(tapes[0], ".tape") + ".output"
	assert.Contains(u.t, stdout, "printed: tapes/"+filepath.Base(printed))
	assert.Contains(u.t, stdout, "replay: go tool snapstorm replay tapes/"+filepath.Base(tapes[0]), "as it lies in the module")
	text, err := os.ReadFile(printed)
	require.NoError(u.t, err)
	assert.Equal(u.t, "about to send\n", string(text), "of one run of the schedule, though it was run twice and replayed")
	return tapes[0]
}

// edit writes a changed copy of a tape.
func (u tool) edit(tape, old, replacement string) string {
	u.t.Helper()
	text, err := os.ReadFile(tape)
	require.NoError(u.t, err)
	require.Contains(u.t, string(text), old)
	file := filepath.Join(u.t.TempDir(), "edited.tape")
	require.NoError(u.t, os.WriteFile(file, []byte(strings.Replace(string(text), old, replacement, 1)), 0o644))
	return file
}

// TestKilled: tapes are whole or not there, also when the run is killed in the middle, and the next run lists them.
func TestKilled(t *testing.T) {
	u := newTool(t)
	code, _, stderr := u.run("test", "./stuck", "--", "-test.run=TestIt", "-sim.schedules=1", "-sim.out=tapes") // builds
	require.Equal(t, 1, code, stderr)
	cmd := exec.Command(u.path, "test", "./stuck", "--", "-test.run=TestIt", "-sim.schedules=1000000", "-sim.seeds=2", "-sim.out=tapes")
	cmd.Dir = u.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // its children, too
	require.NoError(t, os.RemoveAll(filepath.Join(u.dir, "tapes")))
	require.NoError(t, cmd.Start())
	var tapes []string
	require.Eventually(t, func() bool {
		tapes, _ = filepath.Glob(filepath.Join(u.dir, "tapes", "*.tape"))
		return len(tapes) > 0
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL))
	_ = cmd.Wait()
	for _, path := range tapes {
		_, err := tape.Read(path)
		assert.NoError(t, err)
	}
	_, _, stderr = u.run("test", "./stuck", "--", "-test.run=TestIt", "-sim.schedules=1", "-sim.out=tapes")
	assert.Contains(t, stderr, "an earlier run was killed; it left 1 tapes")
	assert.Contains(t, stderr, "make(chan int) <- 1 at stuck/stuck.go:6")
}

// TestAWorkerDoesNotOutliveItsSupervisor, not even in the midst of a world that does not end.
func TestAWorkerDoesNotOutliveItsSupervisor(t *testing.T) {
	u := newTool(t)
	cmd := exec.Command(u.path, "test", "./busy")
	cmd.Dir = u.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // its children, too
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	var supervisor, worker int
	require.Eventually(t, func() bool {
		supervisor = childOf(cmd.Process.Pid)
		worker = childOf(supervisor)
		return worker > 0
	}, time.Minute, 10*time.Millisecond)
	time.Sleep(time.Second) // it is in its world by now
	require.NoError(t, syscall.Kill(supervisor, syscall.SIGKILL))
	_ = cmd.Wait()
	assert.Eventually(t, func() bool { return syscall.Kill(worker, 0) != nil }, time.Minute, 100*time.Millisecond)
}

// childOf returns the process that another one has started from a twin, or 0.
func childOf(parent int) int {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file) // "PID (test) S PPID …"
		pid, rest, found := strings.Cut(string(text), " (test) ")
		if fields := strings.Fields(rest); err == nil && found && fields[1] == strconv.Itoa(parent) {
			n, _ := strconv.Atoi(pid)
			return n
		}
	}
	return 0
}
