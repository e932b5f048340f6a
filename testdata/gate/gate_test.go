package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

func ofChecks(checks ...check) *gate {
	g := &gate{Commit: "commit 0123456789ab", Seed: 7, Checks: checks}
	g.sum()
	return g
}

// TestDigest: it tells verdicts and hashes apart, and leaves out what depends on the machine.
func TestDigest(t *testing.T) {
	c := check{Step: "worlds", Name: "TestIt", Green: true, Says: "5 schedules", Hash: "0a", Seconds: 1}
	was := ofChecks(c).Digest
	slower := c
	slower.Seconds = 2
	assert.Equal(t, was, ofChecks(slower).Digest)
	for _, change := range []func(*check){
		func(c *check) { c.Hash = "0b" },
		func(c *check) { c.Green = false },
		func(c *check) { c.Says = "6 schedules" },
		func(c *check) { c.Name = "TestThat" },
	} {
		other := c
		change(&other)
		assert.NotEqual(t, was, ofChecks(other).Digest, "%+v", other)
	}
	loose := check{Step: "benchmarks", Name: "Step", Green: true, Loose: true, Says: "12 ns"}
	noisy := loose
	noisy.Says = "13 ns"
	assert.Equal(t, ofChecks(loose).Digest, ofChecks(noisy).Digest)
}

// TestWorldsAreAll: a test of the monitor that runs worlds is in the list of those, and nothing else is.
func TestWorldsAreAll(t *testing.T) {
	files, err := filepath.Glob("../../monitor/*_test.go")
	require.NoError(t, err)
	var found []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Test") || ok && strings.HasPrefix(fn.Name.Name, "Fuzz") {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				if body := string(text[fn.Body.Pos()-f.FileStart : fn.Body.End()-f.FileStart]); regexp.MustCompile(`\bsim\.\w+\([tf],`).MatchString(body) {
					found = append(found, fn.Name.Name)
				}
			}
		}
	}
	listed := strings.Split(strings.TrimSuffix(strings.TrimPrefix(runs.Worlds, "^("), ")$"), "|")
	assert.ElementsMatch(t, listed, found)
}

// TestFirstScreen: a red gate says what is red, why, and what to do, on one screen.
func TestFirstScreen(t *testing.T) {
	red := check{Step: "worlds", Name: "TestIt", Says: "NoWedge", Why: []string{"pod a waits", "for good"}, Tape: "a.tape"}
	var all strings.Builder
	ofChecks(red, check{Green: true, Name: "TestFine"}, red, red, red, red).print(&all)
	said := all.String()
	assert.Equal(t, 3, strings.Count(said, "RED: worlds, TestIt: NoWedge\n  pod a waits\n  for good\n  replay: go tool snapstorm replay a.tape\n"), said)
	finding := check{Why: []string{"replay: go tool snapstorm replay b.tape", "draw: and so on"}, Tape: "b.tape"}
	all.Reset()
	ofChecks(finding).print(&all)
	assert.Equal(t, 1, strings.Count(all.String(), "b.tape"), all.String())
	assert.Contains(t, said, "… and 2 more, in .snapstorm/gate/index.html\n")
	assert.Contains(t, said, "RED, 5 of 6 checks")
	assert.NotContains(t, said, "TestFine")

	all.Reset()
	ofChecks(check{Green: true, Name: "TestFine"}).print(&all)
	assert.True(t, strings.HasPrefix(all.String(), "\nGREEN of 1 check, "), all.String())
}

func TestVerdictOnACheck(t *testing.T) {
	found := []sim.Finding{{Kind: "property", Property: "NoWedge", Summary: "NoWedge does not hold", Tape: "a.tape"}}
	for name, want := range map[string]struct {
		summary sim.Summary
		green   bool
		says    string
	}{
		"clean":        {sim.Summary{Schedules: 1, Coverage: sim.Coverage{Interleavings: 2}}, true, "1 schedule, 2 interleavings, 0 findings"},
		"found":        {sim.Summary{Schedules: 1, Findings: found}, false, "NoWedge"},
		"expected":     {sim.Summary{Schedules: 1, Findings: found, Expected: true}, true, "1 schedule, 0 interleavings, 1 finding"},
		"complete":     {sim.Summary{Strategy: "exhaustive", Coverage: sim.Coverage{Complete: true}}, true, "0 schedules, 0 interleavings, 0 findings"},
		"not complete": {sim.Summary{Strategy: "exhaustive"}, false, "0 schedules, 0 interleavings, 0 findings, not searched to the end"},
	} {
		got := ofSummary(want.summary)
		assert.Equal(t, want.green, got.Green, name)
		assert.Equal(t, want.says, got.Says, name)
	}
}

// TestWhyATestFailed: of what a test binary prints, what says why.
func TestWhyATestFailed(t *testing.T) {
	for output, want := range map[string][]string{
		"=== RUN   TestA\n    a_test.go:7: got 1, want 0\n--- FAIL: TestA (0.22s)\nFAIL\n": {"    a_test.go:7: got 1, want 0", "--- FAIL: TestA (0.22s)"},
		"panic: test timed out after 1m0s\n\trunning tests:\n\t\tTestA (1m0s)\n\ngoroutine 9 [sync.Mutex.Lock]:\nsync.(*Mutex).Lock(...)\n\t/go/src/sync/mutex.go:46\n" +
			"x/monitor.(*handover).notify()\n\t/home/me/snapstorm/monitor/handover.go:33 +0x1c\n": {"panic: test timed out after 1m0s", "\t\tTestA (1m0s)", "\tmonitor/handover.go:33"},
		"something else\nwithout a pattern\n": {"something else", "without a pattern"},
	} {
		assert.Equal(t, want, failures(output))
	}
	assert.Len(t, failures(strings.Repeat("panic: again\n", 100)), mostLines)
}

func TestKills(t *testing.T) {
	for _, k := range []struct {
		kill  kill
		green bool
		says  string
	}{
		{kill{Killed: true, By: "NoWedge", Schedules: 3}, true, "killed by NoWedge, at schedule 3"},
		{kill{Schedules: 140}, false, "NOT KILLED in 140 schedules"},
		{kill{Equivalent: "nobody reads it"}, true, "equivalent: nobody reads it"},
		{kill{Killed: true, By: "leak", Equivalent: "nobody reads it"}, false, "killed by leak, though"},
	} {
		got := k.kill.check()
		assert.Equal(t, k.green, got.Green, got.Says)
		assert.True(t, strings.HasPrefix(got.Says, k.says), got.Says)
	}
}

// TestCompared: what is much worse than the baseline is red, unless it is noise.
func TestCompared(t *testing.T) {
	table := func(change string) string {
		return ",old,,new,,,\n,ratio,CI,ratio,CI,vs base,P\nStepRatio,14.0,2%,15.0,3%," + change + ",p=0.002 n=6\ngeomean,14.0,,15.0,,+7%,\n"
	}
	for change, green := range map[string]bool{"~": true, "+7.00%": true, "-60.00%": true, "+51.00%": false} {
		all, err := compared(table(change))
		require.NoError(t, err)
		require.Len(t, all, 1)
		assert.Equal(t, green, all[0].Green, change)
	}
	_, err := compared("")
	assert.ErrorContains(t, err, "compares nothing")
}

// TestPage: everything is on it, and text of a program is no part of its markup.
func TestPage(t *testing.T) {
	g := ofChecks(check{Step: "worlds", Name: "TestIt", Says: "<script>", Why: []string{"a line"}}, check{Step: "tapes", Name: "one", Green: true})
	html, err := g.page()
	require.NoError(t, err)
	for _, part := range []string{"TestIt", "a line", "one", g.Digest} {
		assert.Contains(t, html, part)
	}
	assert.NotContains(t, html, "<script>")
}

// TestSummaries: JUnit gets a failure for each red check and none for a green one.
func TestSummaries(t *testing.T) {
	report, err := sim.JUnit(ofChecks(check{Step: "worlds", Name: "TestIt", Says: "NoWedge"}, check{Step: "tapes", Name: "one", Green: true}).summaries())
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(report), "<failure"))
	assert.Equal(t, 2, strings.Count(string(report), "<testcase"))
}
