package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/snapstorm/snapstorm/sim/tape"
	"github.com/snapstorm/snapstorm/sim/twin"
)

// replayWith plays a tape, and writes its timeline if that is asked for.
func replayWith(args []string) (int, error) {
	if len(args) == 2 && strings.HasPrefix(args[1], "-") {
		args[0], args[1] = args[1], args[0]
	}
	if len(args) == 0 || !strings.HasPrefix(args[0], "-") {
		return replay(args)
	}
	name, file, _ := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
	if name != "html" || file == "" {
		return exitMisuse, fmt.Errorf("replay %s: want -html=FILE, or nothing, beside the tape\n%s", args[0], usage)
	}
	path, err := filepath.Abs(file)
	if err != nil {
		return exitMisuse, err
	}
	return replay(args[1:], "-sim.html="+path)
}

// replay plays a tape, with more flags.
func replay(args []string, more ...string) (int, error) { return replayTo(os.Stdout, args, more...) }

// replayTo is replay that prints elsewhere.
func replayTo(stdout *os.File, args []string, more ...string) (int, error) {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") {
		return exitMisuse, fmt.Errorf("want one tape\n%s", usage)
	}
	path, err := twin.InModule(args[0])
	if err != nil {
		return exitMisuse, err
	}
	t, err := tape.Read(path)
	if err != nil {
		return exitMisuse, err
	}
	dirs, err := packageDirs([]string{t.Package})
	if err != nil {
		return exitMisuse, fmt.Errorf("%s is a tape of package %s, to be played in the module of that: %w", args[0], t.Package, err)
	}
	request, err := twin.OfPackage(dirs[0], t.Subject, t.Race, nil)
	if err != nil {
		return exitMisuse, err
	}
	built, err := request.Build()
	if err != nil {
		return exitMisuse, err
	}
	switch code, err := execute(built, dirs[0], stdout, slices.Concat([]string{"-sim.replay=" + path}, more, t.Args)); {
	case err != nil || code == twin.ExitMisuse:
		return exitMisuse, err
	case code == exitPanic:
		return exitMisuse, fmt.Errorf("%s: the test binary panicked outside of the tape's world, so it was not played", args[0])
	default:
		return code, nil
	}
}
