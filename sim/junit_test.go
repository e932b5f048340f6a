package sim_test

import (
	"encoding/xml"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim"
)

// TestJUnit: every Check is a test case of its subject's suite, every finding a failure, and all text is well-formed.
func TestJUnit(t *testing.T) {
	text, err := sim.JUnit([]sim.Summary{
		{Subject: "monitor", Test: "TestStorm", Seed: 1, Seconds: 1.5},
		{Subject: "as-filed", Test: "TestStorm", Seed: 1, Findings: []sim.Finding{
			{Kind: "panic", Summary: "send <- \"closed\" & more"}, {Kind: "property", Property: "NoDataLoss"},
		}},
		{Subject: "monitor", Test: "TestSmall", Seed: 1, Seconds: 1, Expected: true, Findings: []sim.Finding{{Kind: "panic"}}},
	})
	assert.NoError(t, err)
	var report struct {
		Suites []struct {
			Name     string  `xml:"name,attr"`
			Tests    int     `xml:"tests,attr"`
			Failures int     `xml:"failures,attr"`
			Seconds  float64 `xml:"time,attr"`
			Cases    []struct {
				Name     string `xml:"name,attr"`
				Failures []struct {
					Type    string `xml:"type,attr"`
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	assert.NoError(t, xml.Unmarshal(text, &report))
	if assert.Len(t, report.Suites, 2) {
		assert.Equal(t, []any{"monitor", 2, 0, 2.5}, []any{report.Suites[0].Name, report.Suites[0].Tests, report.Suites[0].Failures, report.Suites[0].Seconds})
		assert.Equal(t, []any{"as-filed", 1, 1}, []any{report.Suites[1].Name, report.Suites[1].Tests, report.Suites[1].Failures})
		failures := report.Suites[1].Cases[0].Failures
		assert.Equal(t, "send <- \"closed\" & more", failures[0].Message)
		assert.Equal(t, "NoDataLoss", failures[1].Message)
	}
}
