package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// What a finding's text says is kept in golden files, one for a generation and kind of finding.

const golden = "testdata/golden"

// explained are the flaws of which there is a golden file.
var explained = map[string]string{
	"as-filed-data-race":             "as-filed-race.txt",
	"as-filed-concurrent-map":        "as-filed-concurrent-map.txt",
	"as-filed-send-without-receiver": "as-filed-stuck.txt",
}

// checkText shrinks a copy of the flaw's tape, and compares what the replay prints with the golden file.
func (o outcome) checkText() error {
	name := explained[o.Generation+"-"+o.Name]
	if name == "" {
		return nil
	}
	return compare(name, o.Tape)
}

// checkExample does it for the property that the controller in testdata/example breaks.
func checkExample() error {
	args := []string{"tool", "snapstorm", "test", "./testdata/example", "--", "-test.run=^TestByCount$", "-sim.verify=false", "-sim.shrink=0", "-sim.out=" + out}
	if output, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, output)
	}
	return compare("example-property.txt", filepath.Join(out, "example-TestByCount-property-seed1-1.tape"))
}

func compare(name, tape string) error {
	got, err := textOf(tape, filepath.Join(out, strings.TrimSuffix(name, ".txt")+".tape"))
	if err != nil {
		return err
	}
	path := filepath.Join(golden, name)
	if *update {
		return errors.Join(os.MkdirAll(golden, 0o755), os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	if err == nil && string(want) != got {
		err = fmt.Errorf("%s: the text is another one now; -update writes it anew:\n%s", path, got)
	}
	return err
}

// agreement is what replays of a race say, of which the detector drops some.
var agreement = regexp.MustCompile(`(?s)(always|sometimes): shown.*?\.\n\n`)

// textOf shrinks a copy of a tape, and returns the finding's text without the commands, which name files.
func textOf(tape, shrunk string) (string, error) {
	text, err := os.ReadFile(tape)
	if err == nil {
		err = os.WriteFile(shrunk, text, 0o644)
	}
	if err != nil {
		return "", err
	}
	for _, verb := range []string{"shrink", "replay"} {
		var exit *exec.ExitError
		text, err = exec.Command("go", "tool", "snapstorm", verb, shrunk).CombinedOutput()
		if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) { // 1: the finding is there
			return "", fmt.Errorf("%s %s: %w\n%s", verb, shrunk, err, text)
		}
	}
	_, finding, found := strings.Cut(string(text), "\n\n")
	finding, _, ended := strings.Cut(finding, "\n  replay: ")
	if !found || !ended {
		return "", fmt.Errorf("replay of %s: the finding is not explained:\n%s", shrunk, text)
	}
	return agreement.ReplaceAllString(finding, "(as the replays agree)\n\n"), nil
}
