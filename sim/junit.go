package sim

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
)

// The JUnit format as CI systems read it: see the schema of the Jenkins JUnit plugin. A Check is a test case, and each of its
// findings a failure.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Seconds  float64     `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class    string         `xml:"classname,attr"`
		Name     string         `xml:"name,attr"`
		Seconds  float64        `xml:"time,attr"`
		Failures []junitFailure `xml:"failure"`
		Output   string         `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit returns what Checks found out as a JUnit report: a suite for each subject, in the order in which they came.
func JUnit(summaries []Summary) ([]byte, error) {
	var report junitSuites
	at := map[string]int{}
	for _, s := range summaries {
		i, known := at[s.Subject]
		if !known {
			i = len(report.Suites)
			at[s.Subject] = i
			report.Suites = append(report.Suites, junitSuite{Name: s.Subject})
		}
		report.Suites[i].add(s)
	}
	text, err := xml.MarshalIndent(report, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}

// failures are the findings that fail the test.
func (s Summary) failures() []Finding {
	if s.Expected {
		return nil
	}
	missed := s.missed()
	if !flags.strict || len(missed) == 0 {
		return s.Findings
	}
	return append(slices.Clone(s.Findings), Finding{Kind: "strict", Summary: "never occurred: " + strings.Join(missed, ", ")})
}

func (suite *junitSuite) add(s Summary) {
	c := junitCase{
		Class: s.Subject, Name: fmt.Sprintf("%s (seed %d)", s.Test, s.Seed), Seconds: s.Seconds,
		Output: fmt.Sprintf("%d schedules, %d distinct, %d steps, %d events, %d restarts\n%s", s.Schedules, s.Distinct, s.Steps, s.Events, s.Restarts, s.occurred()),
	}
	for _, f := range s.failures() {
		message := f.Summary
		if f.Property != "" {
			message = f.Property
		}
		c.Failures = append(c.Failures, junitFailure{f.Kind, message, f.String()})
	}
	suite.Tests++
	suite.Seconds += s.Seconds
	if len(c.Failures) > 0 {
		suite.Failures++
	}
	suite.Cases = append(suite.Cases, c)
}
