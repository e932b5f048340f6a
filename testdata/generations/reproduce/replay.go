package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// keep makes the first of some tapes that can be shrunk the flaw's regression tape.
func (o *outcome) keep(tapes []string) (err error) {
	for _, t := range tapes {
		var text, output []byte
		if text, err = os.ReadFile(t); err == nil {
			err = os.WriteFile(o.Tape, text, 0o644)
		}
		if err != nil {
			return err
		}
		if output, err = exec.Command(snapstorm, "shrink", o.Tape).CombinedOutput(); isFinding(err) {
			return nil
		}
		err = fmt.Errorf("snapstorm shrink %s: %w\n%s", o.Tape, err, output)
	}
	return err
}

// isFinding tells whether a command ended as one that shows a finding does.
func isFinding(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 1
}

// replay plays the tape that was just found, and the regression tape.
func (o *outcome) replay(found string) error {
	text, err := os.ReadFile(o.Tape)
	if err != nil {
		return fmt.Errorf("%w: make it with go run ./testdata/generations/reproduce -update", err)
	}
	if m := shrunk.FindSubmatch(text); m != nil {
		o.Shrunk = string(m[1])
	}
	var parts []string
	for i, procs := range []string{"1", "2", "8"} {
		for _, t := range []string{found, o.Tape}[i%2:] {
			text, err := o.play(t, procs)
			if err != nil {
				return err
			}
			if t == o.Tape {
				parts = append(parts, text)
			}
		}
	}
	o.Replays = strings.Join(parts, " ")
	return nil
}

var shrunk = regexp.MustCompile(`(?m)^shrunk\t(.*)$`)

var replayed = regexp.MustCompile(`shown again by (\d+) of (\d+) replays, hash equal in (\d+) of (\d+)`)

// play plays a tape of the flaw. The hash must be equal every time, and the finding shown every time, or at least once for
// a data race, of which the detector drops some.
func (o *outcome) play(path, procs string) (string, error) {
	cmd := exec.Command(snapstorm, "replay", path)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+procs)
	output, err := cmd.CombinedOutput()
	m := replayed.FindStringSubmatch(string(output))
	if m == nil {
		return "", fmt.Errorf("replay of %s: %w\n%s", path, err, output)
	}
	if m[3] != m[4] || m[1] == "0" || o.Kind != "data-race" && m[1] != m[2] {
		o.Failed = fmt.Sprintf("replay of %s with GOMAXPROCS=%s: %s", path, procs, m[0])
	}
	return m[1] + "/" + m[2], nil
}
