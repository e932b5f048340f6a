package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"github.com/snapstorm/snapstorm/sim"
)

// write leaves gate.json, junit.xml and index.html in a directory.
func (g *gate) write(dir string) error {
	text, err := json.MarshalIndent(g, "", "  ")
	if err != nil {
		return err
	}
	junit, err := sim.JUnit(g.summaries())
	if err != nil {
		return err
	}
	html, err := g.page()
	return errors.Join(err,
		os.WriteFile(filepath.Join(dir, "gate.json"), append(text, '\n'), 0o644),
		os.WriteFile(filepath.Join(dir, "junit.xml"), junit, 0o644),
		os.WriteFile(filepath.Join(dir, "index.html"), []byte(html), 0o644))
}

// summaries are the checks as package sim reports its own: a step is a suite.
func (g *gate) summaries() (all []sim.Summary) {
	for _, c := range g.Checks {
		s := sim.Summary{Subject: c.Step, Test: c.Name, Seed: g.Seed, Hash: c.Hash, Seconds: c.Seconds}
		if !c.Green {
			s.Findings = []sim.Finding{{Kind: "gate", Summary: c.Says, Explanation: c.Why, Tape: c.Tape, Seed: g.Seed}}
		}
		all = append(all, s)
	}
	return all
}

//go:embed page.html
var page string

// part is a step on the page.
type part struct {
	Name, About string
	Red         int
	Checks      []check
}

// page is everything on one page, which needs no network.
func (g *gate) page() (string, error) {
	var parts []part
	for _, s := range steps {
		p := part{Name: s.name, About: s.about}
		for _, c := range g.Checks {
			if c.Step != s.name {
				continue
			}
			if p.Checks = append(p.Checks, c); !c.Green {
				p.Red++
			}
		}
		if len(p.Checks) > 0 {
			parts = append(parts, p)
		}
	}
	var b strings.Builder
	t, err := template.New("page").Funcs(template.FuncMap{"lines": func(l []string) string { return strings.Join(l, "\n") }}).Parse(page)
	if err == nil {
		err = t.Execute(&b, map[string]any{"Gate": g, "Parts": parts, "Red": g.red()})
	}
	return b.String(), err
}
