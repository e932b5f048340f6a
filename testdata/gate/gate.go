package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/snapstorm/snapstorm/testdata/internal/runs"
)

// gate is one run, and what gate.json says of it.
type gate struct {
	Commit  string  `json:"commit"`
	Seed    uint64  `json:"seed"`
	Green   bool    `json:"green"`
	Digest  string  `json:"digest"` // of all verdicts and hashes
	Checks  []check `json:"checks"`
	Seconds float64 `json:"seconds"`

	all       bool // go on after what is red
	schedules int  // of each storm under each strategy
	runner    *runs.Runner
	began     time.Time
}

// check is one verdict.
type check struct {
	Step    string   `json:"step"`
	Name    string   `json:"name"`
	Green   bool     `json:"green"`
	Says    string   `json:"says"`           // what was seen
	Hash    string   `json:"hash,omitempty"` // of the schedules behind it
	Loose   bool     `json:"loose"`          // what it says depends on the machine, so it is no part of the digest
	Why     []string `json:"why,omitempty"`  // it is red
	Tape    string   `json:"tape,omitempty"`
	Seconds float64  `json:"seconds"`
}

// step is a part of the gate's work.
type step struct {
	name, about string
	do          func(*gate) ([]check, error)
}

// do takes one step and tells how it went.
func (g *gate) do(s step) error {
	began, before := time.Now(), g.red()
	checks, err := s.do(g)
	if err != nil {
		return err
	}
	for i := range checks {
		checks[i].Step = s.name
	}
	g.Checks = append(g.Checks, checks...)
	fmt.Printf("        %s, %d red, in %.0f s\n", count(len(checks), "check"), g.red()-before, time.Since(began).Seconds())
	return nil
}

func (g *gate) red() int { return reds(g.Checks) }

func reds(checks []check) (n int) {
	for _, c := range checks {
		if !c.Green {
			n++
		}
	}
	return n
}

// sum makes the verdict and the digest.
func (g *gate) sum() {
	g.Green, g.Seconds = g.red() == 0, time.Since(g.began).Seconds()
	h := sha256.New()
	for _, c := range g.Checks {
		if c.Loose {
			c.Says = ""
		}
		fmt.Fprintln(h, c.Step, c.Name, c.Green, c.Says, c.Hash)
	}
	g.Digest = hex.EncodeToString(h.Sum(nil))[:16]
}

// mostTold is how many red checks are told with all that is known.
const mostTold = 3

// print tells the verdict, and why it is red, on one screen.
func (g *gate) print(w io.Writer) {
	for i, c := range slices.DeleteFunc(slices.Clone(g.Checks), func(c check) bool { return c.Green }) {
		if i == mostTold {
			fmt.Fprintf(w, "\n… and %d more, in %s/index.html\n", g.red()-mostTold, out)
			break
		}
		fmt.Fprintf(w, "\nRED: %s, %s: %s\n", c.Step, c.Name, c.Says)
		for _, line := range c.Why {
			fmt.Fprintln(w, "  "+line)
		}
		if told := strings.Join(c.Why, "\n"); c.Tape != "" && !strings.Contains(told, "snapstorm replay") {
			fmt.Fprintf(w, "  replay: go tool snapstorm replay %s\n", c.Tape)
		}
	}
	verdict := "GREEN"
	if !g.Green {
		verdict = fmt.Sprintf("RED, %d", g.red())
	}
	fmt.Fprintf(w, "\n%s of %s, digest %s, in %.0f s; %s/index.html has everything\n", verdict, count(len(g.Checks), "check"), g.Digest, g.Seconds, out)
}

func count(n int, of string) string {
	if n != 1 {
		of += "s"
	}
	return fmt.Sprintf("%d %s", n, of)
}
