package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/snapstorm/snapstorm/sim/tape"
)

// A lock that opens wrongly when its two users take turns for long enough, and its test.
const (
	turns = `package turns

import "sync"

// Lock counts how often one user came after the other.
type Lock struct {
	mu    sync.Mutex
	last  string
	turns int
}

// Try is one user's try.
func (l *Lock) Try(who string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == who {
		l.turns = 0
		return
	}
	l.last = who
	switch l.turns++; l.turns {
	case 2:
		l.note("two")
	case 3:
		l.note("three")
	case 4:
		l.note("four")
	case 5:
		panic("open")
	}
}

func (l *Lock) note(string) {}
`
	turnsTest = `package turns

import (
	"context"
	"testing"

	"github.com/snapstorm/snapstorm/sim"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { sim.Main(m) }

func FuzzLock(f *testing.F) {
	sim.Fuzz(f, func(w *sim.World) {
		l := &Lock{}
		for _, who := range []string{"left", "right"} {
			w.Go(who, func(context.Context) {
				for range 20 {
					l.Try(who)
				}
			})
		}
	})
}

type rounds struct{ Left, Right int }

var manyRounds = rapid.Custom(func(t *rapid.T) rounds {
	return rounds{rapid.IntRange(0, 20).Draw(t, "left"), rapid.IntRange(0, 20).Draw(t, "right")}
})

func FuzzRounds(f *testing.F) {
	sim.FuzzDrawn(f, sim.Options{}, manyRounds, func(w *sim.World, r rounds) {
		l := &Lock{}
		w.Go("both", func(context.Context) {
			for range 1 + min(r.Left, max(0, r.Right-17)) {
				l.Try("left")
				l.Try("right")
			}
		})
	})
}

var kept = make(chan int, 1)

func FuzzKept(f *testing.F) {
	sim.Fuzz(f, func(w *sim.World) {
		if w.Choose("make a new one", 2) == 1 {
			kept = make(chan int, 1)
		}
		w.Go("sender", func(context.Context) { kept <- 1; <-kept })
	})
}
`
)

var (
	inputLine  = regexp.MustCompile(`Failing input written to testdata/fuzz/FuzzLock/(\w+)`)
	replayLine = regexp.MustCompile(`replay: go tool snapstorm replay (\S+)`)
)

// forget removes what the engine has kept of earlier runs of a package.
func forget(t *testing.T, pkg string) {
	t.Helper()
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(filepath.Join(strings.TrimSpace(string(cache)), "fuzz", filepath.FromSlash(pkg))))
}

// TestFuzz: the empty corpus shows nothing; the engine, which sees what code its inputs come to, finds the bug; its input and its
// tape show it again from then on.
func TestFuzz(t *testing.T) {
	u := newTool(t)
	u.write("turns/turns.go", turns)
	u.write("turns/turns_test.go", turnsTest)
	forget(t, "example.com/misuse/turns")
	ok, output := u.goTest("./turns", "-v")
	require.True(t, ok, output)
	require.Contains(t, output, "PASS: FuzzLock/seed#0")
	require.Contains(t, output, "PASS: FuzzRounds/seed#8")

	ok, output = u.goTest("./turns", "-run=^$", "-fuzz=FuzzLock", "-fuzztime=500000x", "-fuzzminimizetime=100x")
	require.False(t, ok, output)
	assert.NotContains(t, output, "without coverage guidance")
	assert.Contains(t, output, "panicked: open")
	input, written := inputLine.FindStringSubmatch(output), replayLine.FindStringSubmatch(output)
	require.NotNil(t, input, output)
	require.NotNil(t, written, output)
	code, stdout, stderr := u.run("replay", written[1])
	assert.Equal(t, 1, code, stderr)
	assert.Contains(t, stdout, "panic shown again by 10 of 10 replays, hash equal in 10 of 10")

	_, output = u.goTest("./turns", "-run=^$", "-fuzz=FuzzKept", "-fuzztime=100000x", "-fuzzminimizetime=10x")
	assert.Contains(t, output, "state outlives a world: a channel that an earlier world made: kept <- 1 at turns/turns_test.go:")

	u.drawn()
	u.keep(written[1], "FuzzLock", "FuzzLockPanic.tape")
	ok, output = u.goTest("./turns", "-run=FuzzLock")
	assert.False(t, ok, output)
	assert.Contains(t, output, "FAIL: FuzzLock/seed#1")
	assert.Contains(t, output, "FAIL: FuzzLock/"+input[1])
}

// keep has the tape of a fuzz test kept in its package, shrunk.
func (u tool) keep(found, test, name string) {
	u.t.Helper()
	u.refused("leave -o out", "regress", "-o", filepath.Join(u.dir, "turns", "more_test.go"), found)
	code, stdout, stderr := u.run("regress", found)
	require.Equal(u.t, 0, code, stderr)
	assert.Empty(u.t, stdout, "no test is needed")
	assert.Contains(u.t, stderr, "run the test with: go test -run '^"+test+"$' example.com/misuse/turns\n")
	kept, err := tape.Read(filepath.Join(u.dir, "turns", "testdata", "tapes", name))
	require.NoError(u.t, err)
	assert.NotEmpty(u.t, kept.Shrunk)
}

// drawn has the engine find a value that the dullest schedule fails with, which others of the corpus do not; its tape, kept, is
// played with its value from then on.
func (u tool) drawn() {
	u.t.Helper()
	ok, output := u.goTest("./turns", "-run=^$", "-fuzz=FuzzRounds", "-fuzztime=100000x", "-fuzzminimizetime=100x")
	require.False(u.t, ok, output)
	assert.Regexp(u.t, `drawn: \{"Left":\d+,"Right":\d+\}`, output)
	written := replayLine.FindStringSubmatch(output)
	require.NotNil(u.t, written, output)
	u.keep(written[1], "FuzzRounds", "FuzzRoundsPanic.tape")
	ok, output = u.goTest("./turns", "-run=FuzzRounds/seed", "-v")
	assert.False(u.t, ok, output)
	assert.Contains(u.t, output, "FAIL: FuzzRounds/seed#0")
	assert.Contains(u.t, output, "PASS: FuzzRounds/seed#1")
}
