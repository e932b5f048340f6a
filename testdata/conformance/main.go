// Command conformance compares package fakes with the real thing: our informer with client-go's, which lists or is streamed
// its lists, and our cluster with an API server. Then it breaks our informer in many ways, one at a time, to show that the
// comparison notices. It prints a table and writes .snapstorm/conformance/summary.json. Its exit code is 0 when there is no
// difference and every mutation was caught.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/snapstorm/snapstorm/testdata/conformance/breaks"
	"github.com/snapstorm/snapstorm/testdata/mutation"
)

const (
	out   = ".snapstorm/conformance"
	fakes = "fakes"
	test  = "TestConformance"

	// seed makes the mutations fall in the same script each time.
	seed = 1
)

var (
	scripts   = flag.Int("scripts", 2000, "how many random scripts to compare our informer with client-go's in")
	apiserver = flag.Int("apiserver", 500, "how many random scripts to compare our cluster with an API server in; 0 leaves it out")
)

// pair is one comparison, as summary.json has it.
type pair struct {
	Pair        string `json:"pair"`
	Scripts     int    `json:"scripts"`
	Differences int    `json:"differences"`
	Caught      int    `json:"caught,omitempty"` // of the mutations; Differences are those that were not
}

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run() error {
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return err
	}
	var pairs []pair
	for name, subtest := range informers {
		p, err := informer(name, subtest)
		if err != nil {
			return err
		}
		pairs = append(pairs, p)
		fmt.Printf("%-28s %5d scripts %3d with a difference\n", p.Pair, p.Scripts, p.Differences)
	}
	more, err := cluster()
	if err != nil {
		return err
	}
	mutations, err := mutate()
	if err != nil {
		return err
	}
	pairs = append(append(pairs, more...), mutations)
	text, err := json.MarshalIndent(pairs, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "summary.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	return judge(pairs)
}

// judge returns an error if something differs.
func judge(pairs []pair) error {
	var bad []error
	for _, p := range pairs {
		if p.Differences > 0 {
			bad = append(bad, fmt.Errorf("%s: %d differences", p.Pair, p.Differences))
		}
	}
	return errors.Join(bad...)
}

// informers yields the pairs of informers, and the subtest for each.
func informers(yield func(name, subtest string) bool) {
	_ = yield("informer/client-go-list", "client-go-list") && yield("informer/client-go-watchlist", "client-go-watchlist")
}

// informer compares our informer with client-go's.
func informer(name, subtest string) (pair, error) {
	r, err := compare(mutation.Mutation{}, subtest, *scripts)
	if err != nil {
		return pair{}, err
	}
	p := pair{Pair: name, Scripts: r.scripts}
	if r.failed {
		p.Differences = 1
		fmt.Fprintln(os.Stderr, r.output)
	} else if r.scripts < *scripts {
		return p, fmt.Errorf("%s: only %d scripts were compared:\n%s", name, r.scripts, r.output)
	}
	return p, nil
}

// mutate breaks our informer in one way after another.
func mutate() (pair, error) {
	p := pair{Pair: "mutations"}
	for _, m := range breaks.All() {
		r, err := compare(m, "client-go-list", *scripts)
		if err != nil {
			return p, err
		}
		p.Scripts += r.scripts
		if r.failed {
			p.Caught++
			fmt.Printf("%-60s caught by script %d\n", m.Name, r.scripts)
		} else {
			p.Differences++
			fmt.Printf("%-60s NOT CAUGHT by %d scripts\n", m.Name, r.scripts)
		}
	}
	return p, nil
}

// result is what a run of the test showed.
type result struct {
	scripts int // until the first difference
	failed  bool
	output  string
}

var played = regexp.MustCompile(`(?m)^\s.*: (\d+) scripts$`)

// compare runs the test on the mutated source. An error means that it did not run.
func compare(m mutation.Mutation, subtest string, checks int) (result, error) {
	scratch, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return result{}, err
	}
	defer os.RemoveAll(scratch)
	overlay, err := breaks.Overlay(m, fakes, scratch)
	if err != nil {
		return result{}, err
	}
	args := []string{"test", "-overlay=" + overlay, "-vet=off", "-ldflags=-s -w", "-v", "-run=^" + test + "$/^" + subtest + "$", "./" + fakes, "-rapid.nofailfile", "-rapid.checks=" + strconv.Itoa(checks)}
	if len(m.Edits) > 0 {
		args = append(args, "-rapid.shrinktime=0s", fmt.Sprintf("-rapid.seed=%d", seed))
	}
	output, err := exec.Command("go", args...).CombinedOutput()
	r := result{failed: err != nil, output: string(output)}
	found := played.FindSubmatch(output)
	if found == nil {
		return r, fmt.Errorf("go test %s: %s: the test did not run: %w\n%s", test, m.Name, err, output)
	}
	r.scripts, err = strconv.Atoi(string(found[1]))
	return r, err
}

// cluster compares our cluster with an API server. The test is in a module of its own, which writes down what it found.
func cluster() ([]pair, error) {
	if *apiserver == 0 {
		return nil, nil
	}
	file, err := filepath.Abs(filepath.Join(out, "apiserver.json"))
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "test", "-run=^TestCluster$", ".", "-rapid.nofailfile", "-rapid.checks="+strconv.Itoa(*apiserver), "-args", "-json="+file)
	cmd.Dir = filepath.Join(fakes, "conformance")
	output, failed := cmd.CombinedOutput()
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w\n%s", err, output), failed)
	}
	pairs, err := merged(text)
	for _, p := range pairs {
		fmt.Printf("%-28s %5d scripts %3d with a difference\n", p.Pair, p.Scripts, p.Differences)
	}
	if failed != nil {
		fmt.Fprintf(os.Stderr, "%s", output)
	}
	return pairs, err
}

// merged reads one pair, or a list of them.
func merged(text []byte) ([]pair, error) {
	if text = bytes.TrimSpace(text); !bytes.HasPrefix(text, []byte("[")) {
		text = append(append([]byte("["), text...), ']')
	}
	var pairs []pair
	err := json.Unmarshal(text, &pairs)
	return pairs, err
}
