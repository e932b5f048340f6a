package tape

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// word is a text that fits in one column.
func word(t *rapid.T, label string) string {
	return rapid.StringMatching(`[^\t\r\n]*`).Draw(t, label)
}

func drawTape(t *rapid.T) *Tape {
	tape := &Tape{
		Package: word(t, "package"), Test: word(t, "test"), Check: rapid.Int().Draw(t, "check"), Subject: word(t, "subject"),
		Race: rapid.Bool().Draw(t, "race"), Points: word(t, "points"), Strategy: word(t, "strategy"),
		Seed: rapid.Uint64().Draw(t, "seed"), Schedule: rapid.Int().Draw(t, "schedule"), Kind: word(t, "kind"),
		Property: word(t, "property"), Place: word(t, "place"), Summary: word(t, "summary"), Hash: word(t, "hash"),
		Steps: rapid.Int().Draw(t, "steps"), Drawn: word(t, "drawn"), Shrunk: word(t, "shrunk"), Reported: word(t, "reported"), BySeed: rapid.Bool().Draw(t, "by-seed"),
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "args") {
		tape.Args = append(tape.Args, "-flag"+strings.Repeat("x", i)+"="+word(t, "arg"))
	}
	index := 0
	for range rapid.IntRange(0, 5).Draw(t, "entries") {
		n := rapid.IntRange(2, 1000).Draw(t, "n")
		tape.Entries = append(tape.Entries, Entry{
			Index: index, Asker: word(t, "asker"), N: n, Answer: rapid.IntRange(1, n-1).Draw(t, "answer"),
			After: word(t, "after"), Steps: rapid.IntRange(0, 99).Draw(t, "steps"), Nth: rapid.IntRange(0, 3).Draw(t, "nth"), Task: word(t, "task"), Where: word(t, "where"), What: word(t, "what"), Passed: word(t, "passed"),
		})
		index += rapid.IntRange(1, 9).Draw(t, "gap")
	}
	return tape
}

func TestParseReadsWhatFormatWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawTape(t)
		got, err := Parse(want.Format())
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// TestParseSaysWhere cuts a tape at every byte: no part of a tape is a tape.
func TestParseSaysWhere(t *testing.T) {
	whole := (&Tape{Package: "p", Entries: []Entry{{Index: 1, Asker: "switch", Answer: 1, N: 2}, {Index: 7, Asker: "case", Answer: 1, N: 3}}}).Format()
	for cut := range len(whole) {
		_, err := Parse(whole[:cut])
		assert.ErrorContains(t, err, "line ", "%q", whole[:cut])
	}
}

func TestWriteIsWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	tape := &Tape{Package: "p"}
	require.NoError(t, tape.Write(filepath.Join(dir, "new", "a.tape")))
	got, err := Read(filepath.Join(dir, "new", "a.tape"))
	require.NoError(t, err)
	assert.Equal(t, tape, got)

	require.NoError(t, os.Mkdir(filepath.Join(dir, "b.tape"), 0o755))
	assert.Error(t, tape.Write(filepath.Join(dir, "b.tape")), "a directory is in the way")
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, files, 2, "nothing half-written stays")
}
