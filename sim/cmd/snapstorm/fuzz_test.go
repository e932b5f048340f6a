package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
`
)

var (
	inputLine  = regexp.MustCompile(`Failing input written to testdata/fuzz/FuzzLock/(\w+)`)
	replayLine = regexp.MustCompile(`replay: go tool snapstorm replay (\S+)`)
)

// TestFuzz: the empty corpus shows nothing; the engine, which sees what code its inputs come to, finds the bug; its input and its
// tape show it again from then on.
func TestFuzz(t *testing.T) {
	u := newTool(t)
	u.write("turns/turns.go", turns)
	u.write("turns/turns_test.go", turnsTest)
	ok, output := u.goTest("./turns", "-v")
	require.True(t, ok, output)
	require.Contains(t, output, "PASS: FuzzLock/seed#0")

	ok, output = u.goTest("./turns", "-run=^$", "-fuzz=FuzzLock", "-fuzztime=500000x", "-fuzzminimizetime=100x")
	require.False(t, ok, output)
	assert.Contains(t, output, "execs: ")
	assert.NotContains(t, output, "without coverage guidance")
	assert.Contains(t, output, "panicked: open")
	input, written := inputLine.FindStringSubmatch(output), replayLine.FindStringSubmatch(output)
	require.NotNil(t, input, output)
	require.NotNil(t, written, output)
	text, err := os.ReadFile(written[1])
	require.NoError(t, err)
	code, stdout, stderr := u.run("replay", written[1])
	assert.Equal(t, 1, code, stderr)
	assert.Contains(t, stdout, "panic shown again by 10 of 10 replays, hash equal in 10 of 10")

	u.write(filepath.Join("turns", "testdata", "tapes", "found.tape"), string(text))
	ok, output = u.goTest("./turns")
	assert.False(t, ok, output)
	assert.Contains(t, output, "FAIL: FuzzLock/seed#1")
	assert.Contains(t, output, "FAIL: FuzzLock/"+input[1])
}
