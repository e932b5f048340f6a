package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/snapstorm/snapstorm/sim/tape"
)

// An account that is emptied twice when one withdrawal comes between the look and the act of the other one, and its test.
const (
	account = `package account

import "sync"

// Account holds what was paid in.
type Account struct {
	mu      sync.Mutex
	balance int
}

// unrelated

// Has says whether there is so much.
func (a *Account) Has(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance >= n
}

// Withdraw takes n out, if it is there.
func (a *Account) Withdraw(n int) {
	if !a.Has(n) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.balance -= n; a.balance < 0 {
		panic("overdrawn")
	}
}
`
	accountTest = `package account

import (
	"context"
	"testing"

	"github.com/snapstorm/snapstorm/sim"
)

func TestMain(m *testing.M) { sim.Main(m) }

func TestAccount(t *testing.T) {
	t.Run("two at once", func(t *testing.T) {
		sim.Check(t, func(w *sim.World) {
			w.Start(sim.Program{Name: "bank", Main: func(context.Context) {
				a := &Account{balance: 1}
				for range 2 {
					go a.Withdraw(1)
				}
			}})
		})
	})
}
`
	// The look and the act under one lock.
	withdrawn = "\tif a.balance -= n; a.balance < 0 {\n\t\tpanic(\"overdrawn\")\n\t}\n"
	mended    = "\tif a.balance >= n {\n\t\ta.balance -= n\n\t}\n"
)

// write puts a file into the module, and changes it.
func (u tool) write(name, text string, changes ...string) string {
	u.t.Helper()
	path := filepath.Join(u.dir, name)
	require.NoError(u.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(u.t, os.WriteFile(path, []byte(strings.NewReplacer(changes...).Replace(text)), 0o644))
	return path
}

// goTest runs the tests of a package as a user does.
func (u tool) goTest(pkg string, args ...string) (ok bool, output string) {
	u.t.Helper()
	cmd := exec.Command("go", append([]string{"test", pkg}, args...)...)
	cmd.Dir = u.dir
	text, err := cmd.CombinedOutput()
	return err == nil, string(text)
}

// TestRegress: what is made of a tape fails as long as the bug is there, also when the code around it was edited, and does
// not when it is gone. Where nothing of the tape fits any more it says so.
func TestRegress(t *testing.T) {
	u := newTool(t)
	u.write("account/account.go", account)
	u.write("account/account_test.go", accountTest)
	found := u.findOverdrawn()
	edit := []string{"// unrelated", "// Unrelated does\n// nothing.\nfunc Unrelated() {\n}\n"}
	u.write("account/account.go", account, edit...)
	code, stdout, stderr := u.run("replay", found)
	assert.Equal(t, 1, code, stderr)
	assert.Contains(t, stdout, "panic shown again by 10 of 10 replays")
	u.regress(found)

	only := "-run=^TestAccountTwoAtOncePanic$"
	ok, output := u.goTest("./account", only)
	assert.False(t, ok, output)
	assert.Contains(t, output, "overdrawn")
	assert.Contains(t, output, "--- FAIL: TestAccountTwoAtOncePanic/two_at_once")
	u.write("account/account.go", account, append(edit, withdrawn, mended)...)
	ok, output = u.goTest("./account", only, "-v")
	assert.True(t, ok, output)
	u.unfit(found, only)
}

// TestRegressOfATestThatWantsFindings: what a test says itself of what Explore returns does not turn the tape's verdict round.
func TestRegressOfATestThatWantsFindings(t *testing.T) {
	u := newTool(t)
	wants := []string{"sim.Check(t, func", "s := sim.Explore(t, sim.Options{First: true}, func", "\t\t})\n\t})", "\t\t})\n\t\tif len(s.Findings) != 1 {\n\t\t\tt.Fatal(\"it wants one\")\n\t\t}\n\t})"}
	u.write("account/account.go", account)
	u.write("account/account_test.go", accountTest, wants...)
	code, _, stderr := u.run("test", "./account", "--", "-sim.out=tapes", "-sim.points=sync")
	require.Equal(t, 0, code, stderr)
	found, err := filepath.Glob(filepath.Join(u.dir, "tapes", "*.tape"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Contains(t, stderr, "go tool snapstorm replay tapes/"+filepath.Base(found[0]), "a finding that the test wants is named, too")
	u.regress(found[0])
	ok, output := u.goTest("./account", "-run=Panic$")
	assert.False(t, ok, output)
	assert.Contains(t, output, "overdrawn")
	u.write("account/account.go", account, withdrawn, mended)
	ok, output = u.goTest("./account", "-run=Panic$")
	assert.False(t, ok, output)
	assert.Contains(t, output, "it wants one")
	assert.Contains(t, output, "should call sim.Check now")
	u.write("account/account_test.go", accountTest)
	ok, output = u.goTest("./account", "-run=Panic$")
	assert.True(t, ok, output)
	other := u.edit(filepath.Join(u.dir, "account/testdata/tapes/TestAccountTwoAtOncePanic.tape"), "seed\t1\n", "seed\t2\n")
	before, err := os.ReadFile(filepath.Join(u.dir, "account/testdata/tapes/TestAccountTwoAtOncePanic.tape"))
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(u.dir, "account/regression_test.go")))
	code, _, stderr = u.run("regress", other)
	require.Equal(t, 0, code, stderr)
	after, err := os.ReadFile(filepath.Join(u.dir, "account/testdata/tapes/TestAccountTwoAtOncePanic.tape"))
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "a tape of another finding stays")
}

// findOverdrawn returns the tape of the bug.
func (u tool) findOverdrawn() string {
	u.t.Helper()
	code, _, stderr := u.run("test", "./account", "--", "-sim.out=tapes", "-sim.points=sync")
	require.Equal(u.t, 1, code, stderr)
	found, err := filepath.Glob(filepath.Join(u.dir, "tapes", "*.tape"))
	require.NoError(u.t, err)
	require.Len(u.t, found, 1)
	return found[0]
}

// regress makes a test of a tape, in both ways.
func (u tool) regress(found string) {
	u.t.Helper()
	written, err := tape.Read(found)
	require.NoError(u.t, err)
	code, stdout, stderr := u.run("regress", found)
	require.Equal(u.t, 0, code, stderr)
	assert.NotContains(u.t, stdout, "package account")
	file := filepath.Join(u.dir, "account", "regression_test.go")
	code, _, stderr = u.run("regress", "-o", file, found)
	require.Equal(u.t, 0, code, stderr)
	text, err := os.ReadFile(file)
	require.NoError(u.t, err)
	assert.Contains(u.t, string(text), stdout, "pasted or written, it is one test")
	if written.Shrunk != "" {
		assert.Contains(u.t, string(text), written.Story()[0])
	}
	u.refused("it is there already", "regress", "-o", file, found)
	u.refused("name ends in _test.go", "regress", "-o", filepath.Join(u.dir, "regression_test.go"), found)
	u.refused("has a function TestGone any more", "regress", u.edit(found, "test\tTestAccount/", "test\tTestGone/"))
}

// unfit takes the concurrency out of the account.
func (u tool) unfit(tape, only string) {
	u.t.Helper()
	u.write("account/account_test.go", accountTest, "go a.Withdraw", "a.Withdraw")
	ok, output := u.goTest("./account", only)
	assert.False(u.t, ok, output)
	assert.Contains(u.t, output, "testdata/tapes/TestAccountTwoAtOncePanic.tape:23: ")
	assert.Contains(u.t, output, "nothing was tested")
	u.refused(tape+":23: the tape does not fit this code any more at its entry ", "replay", tape)
}
