package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

// What a finding's text says is kept in golden files, one for a generation and kind of finding.

const golden = "testdata/golden"

// explained are the flaws of which there is a golden file.
var explained = map[string]string{
	"as-filed-data-race":             "as-filed-race.txt",
	"as-filed-concurrent-map":        "as-filed-concurrent-map.txt",
	"as-filed-send-without-receiver": "as-filed-stuck.txt",
}

// checkText compares what the replay of the flaw's tape prints with the golden file.
func (o *outcome) checkText() error {
	name := explained[o.Generation+"-"+o.Name]
	if name == "" {
		return nil
	}
	return compare(o.runner, name, o.Tape)
}

// exampleTape is of the property that the controller in testdata/example breaks.
const exampleTape = "testdata/tapes/example-not-too-many.tape"

// checkExample does it for that one.
func checkExample(runner *runs.Runner) error {
	if *update {
		run := runs.Run{Name: "example", Package: "./testdata/example", Test: "^TestByCount$", Flags: []string{"-sim.verify=false", "-sim.shrink=0"}}
		if _, err := runner.Run(run); err != nil {
			return err
		}
		if err := copyFile(exampleTape, runner.Path("example/example-TestByCount-property-seed1-1.tape")); err != nil {
			return err
		}
		if _, _, err := runner.Command("shrink", exampleTape); err != nil {
			return err
		}
	}
	return compare(runner, "example-property.txt", exampleTape)
}

func compare(runner *runs.Runner, name, tape string) error {
	got, err := textOf(runner, tape)
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

// textOf returns the text of a tape's finding without the commands, which name files.
func textOf(runner *runs.Runner, tape string) (string, error) {
	text, _, err := runner.Command("replay", tape)
	if err != nil {
		return "", err
	}
	_, finding, found := strings.Cut(text, "\n\n")
	finding, _, ended := strings.Cut(finding, "\n  replay: ")
	if !found || !ended {
		return "", fmt.Errorf("replay of %s: the finding is not explained:\n%s", tape, text)
	}
	return agreement.ReplaceAllString(finding, "(as the replays agree)\n\n"), nil
}
