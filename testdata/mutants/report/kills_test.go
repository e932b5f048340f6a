package main

import (
	"errors"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name string
		kill kill
		want string // a part of the error; "" is none
	}{
		{"killed", kill{Subject: "a", Killed: true}, ""},
		{"survives", kill{Subject: "a", Schedules: 7}, "survives 7 schedules"},
		{"equivalent", kill{Subject: "a", Equivalent: "why"}, ""},
		{"said to be equivalent", kill{Subject: "a", Killed: true, Equivalent: "why"}, "take it out of equivalent.json"},
		{"killed by others", kill{Subject: "a", Killed: true, wrong: "by others"}, "by others"},
		{"the monitor", kill{Kind: monitor}, ""},
		{"the monitor, killed", kill{Kind: monitor, Killed: true}, "nothing else counts"},
	} {
		err := judge([]kill{c.kill})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
	if err := unknown(map[string]string{"a": "why", "b": "why"}, []kill{{Subject: "a"}}); err == nil || !strings.Contains(err.Error(), `no mutant "b"`) {
		t.Errorf("a reason for no mutant: got %v", err)
	}
}

func TestFailedNamesTheTest(t *testing.T) {
	broken := errors.New("exit status 1")
	for output, want := range map[string]string{
		"--- FAIL: TestA (0.00s)\nFAIL\n":                            "TestA",
		"panic: test timed out\n\trunning tests:\n\t\tTestB (30s)\n": "TestB",
		"fatal error: sync: unlock of unlocked mutex\n":              "unit tests",
	} {
		if got := failed([]byte(output), broken); len(got.findings) != 1 || got.findings[0].by != want {
			t.Errorf("%q: got %v, want %s", output, got.findings, want)
		}
	}
	if got := failed([]byte("PASS\n"), nil); got.findings != nil {
		t.Errorf("passed: got %v, want none", got.findings)
	}
}
