package main

import (
	"slices"
	"strconv"
)

// How rare faults are: usual is the tests' own default.
const (
	usual  = 50
	common = 5
)

// units is the stage that runs the monitor's tests without a scenario.
const units = ""

// stages are the runs that a generated mutant has to pass, until one finds something.
func stages(race bool) []run {
	if race {
		return []run{{Test: "TestSmall", Schedules: 50, Rare: usual, Race: true}, {Test: "TestSeveral", Schedules: 50, Rare: common, Race: true}}
	}
	return []run{
		{Test: "TestSmall", Schedules: 10, Rare: usual},
		{Test: "TestStops", Schedules: 30, Rare: common},
		{Test: "TestSmall", Schedules: 100, Rare: common},
		{Test: units},
		{Test: "TestStops", Schedules: 60, Rare: common, Seed: 2},
		{Test: "TestSeveral", Schedules: 50, Rare: common},
	}
}

// attempt runs the stages until one finds something.
func (s *subject) attempt() (kill, error) {
	if s.flaw != nil {
		return s.flawed()
	}
	k := kill{Subject: s.name, Kind: s.kind}
	for _, r := range s.stages {
		r.Mutant = s.number
		if r.Until == "" && s.only == "" {
			r.Until = "."
		}
		got, err := s.bench.do(s.name, r)
		if err != nil {
			return k, err
		}
		if s.only != "" && slices.ContainsFunc(got.findings, func(f finding) bool { return f.by != s.only }) {
			k.wrong = "it is caught by others than " + s.only + ", too: " + list(got.findings)
		}
		if i := slices.IndexFunc(got.findings, func(f finding) bool { return s.by == "" || f.by == s.by }); i >= 0 {
			k.Killed, k.By, k.Schedules = true, got.findings[i].by, k.Schedules+got.findings[i].schedule
			return k, nil
		}
		k.Schedules += got.schedules
	}
	return k, nil
}

// flawed runs what shows the flaw of a generation.
func (s *subject) flawed() (kill, error) {
	k := kill{Subject: s.name, Kind: s.kind}
	summaries, err := s.runner.Run(s.flaw.Run("-sim.verify=false", "-sim.shrink=0", "-sim.workers=1", "-sim.schedules="+strconv.Itoa(s.flaw.Schedules)))
	for _, summary := range summaries {
		k.Schedules = summary.Schedules
		for _, f := range summary.Findings {
			if s.flaw.Is(f) {
				k.Killed, k.Schedules, k.By = true, f.Schedule, s.flaw.FoundBy()
			}
		}
	}
	return k, err
}
