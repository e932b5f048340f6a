// Command report shows that a monitor that is broken is caught. It runs the monitor's own tests against mutants that were made
// by hand and against those that operators make of its source, and against the generations of the hand-over. It prints what
// caught each, and after how many schedules, and writes kills.json: one entry for each with its subject, its kind (generation,
// hand, generated), whether it was killed, after how many schedules, by what, and for a mutant that is none why it is
// equivalent. Its exit code is 0 when all are killed but those that equivalent.json names, and none of those.
//
// Parts of names restrict it to those; then what equivalent.json has besides is no matter.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// work is where binaries and runs leave what they write.
const work = ".snapstorm/mutants"

var (
	out  = flag.String("out", work, "the directory for kills.json")
	jobs = flag.Int("jobs", 2, "how many run at a time")
)

func main() {
	flag.Parse()
	wrong, err := report(flag.Args())
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	case wrong != nil:
		fmt.Fprintln(os.Stderr, "mutants:", wrong)
		os.Exit(1)
	}
}

// report runs everything. It returns what is wrong with the kills, and what kept it from its work.
func report(parts []string) (wrong, err error) {
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return nil, err
	}
	all, err := collect()
	if err != nil {
		return nil, err
	}
	listed, err := equivalents("testdata/mutants/equivalent.json")
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s *subject) bool { return len(parts) > 0 && !matches(s.name, parts) })
	if len(all) == 0 {
		return nil, fmt.Errorf("no name has any of %q in it", parts)
	}
	if err := prepare(all); err != nil {
		return nil, err
	}
	kills, err := killAll(all)
	if err != nil {
		return nil, err
	}
	for i := range kills {
		kills[i].Equivalent = listed[kills[i].Subject]
	}
	print(kills)
	stale := error(nil)
	if len(parts) == 0 {
		stale = unknown(listed, kills)
	}
	return errors.Join(judge(kills), stale), write(filepath.Join(*out, "kills.json"), kills)
}

func matches(name string, parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(name, p) })
}
