package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/snapstorm/snapstorm/sim/internal/atomicfile"
)

// Summary is what a Check found out. A list of them is what -sim.json writes.
type Summary struct {
	Subject            string         `json:"subject"`
	Test               string         `json:"test"`
	Race               bool           `json:"race"`
	Strategy           string         `json:"strategy"`
	Seed               uint64         `json:"seed"`
	Schedules          int            `json:"schedules"` // worlds that were run to the end
	Steps              int            `json:"steps"`
	Events             int            `json:"events"`   // effects: calls that were answered and events that were delivered
	Restarts           int            `json:"restarts"` // crashes, each followed by a new run
	Distinct           int            `json:"distinct"` // hashes, counted seed by seed
	RunTwice           int            `json:"run_twice"`
	Occurred           map[string]int `json:"occurred"` // how often, by the name of what could: faults and the like
	Findings           []Finding      `json:"findings"`
	Expected           bool           `json:"expected"` // the test itself judges the findings, and may want them
	Seconds            float64        `json:"seconds"`
	SchedulesPerSecond float64        `json:"schedules_per_second"`
	StepsPerSecond     float64        `json:"steps_per_second"`
	Coverage
}

// sum puts the summaries of several seeds together.
func sum(all []Summary) Summary {
	total := all[0]
	total.Occurred = nil
	known := map[string]bool{}
	for i, s := range all {
		if i > 0 {
			total.Schedules += s.Schedules
			total.Steps += s.Steps
			total.Events += s.Events
			total.Restarts += s.Restarts
			total.Distinct += s.Distinct
			total.Coverage.add(s.Coverage)
			total.RunTwice += s.RunTwice
			total.Seconds += s.Seconds
		}
		for name, n := range s.Occurred {
			total.count(name, n)
		}
		for _, f := range s.Findings {
			if i > 0 && !known[f.key()] {
				total.Findings = append(total.Findings, f)
			}
			known[f.key()] = true
		}
	}
	total.rates()
	return total
}

func (s *Summary) count(name string, n int) {
	if s.Occurred == nil {
		s.Occurred = map[string]int{}
	}
	s.Occurred[name] += n
}

// occurred lists what did, and how often.
func (s Summary) occurred() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.Occurred)) {
		if n := s.Occurred[name]; n > 0 {
			fmt.Fprintf(&b, "  %8d  %s\n", n, name)
		} else {
			fmt.Fprintf(&b, "     never  %s\n", name)
		}
	}
	return b.String()
}

// missed lists what may occur, and never did.
func (s Summary) missed() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(s.Occurred)) {
		if s.Occurred[name] == 0 {
			names = append(names, name)
		}
	}
	return names
}

// rates computes what depends on the time.
func (s *Summary) rates() {
	if s.Seconds > 0 {
		s.SchedulesPerSecond, s.StepsPerSecond = float64(s.Schedules)/s.Seconds, float64(s.Steps)/s.Seconds
	}
}

// Finding is something that a world showed to be wrong. Findings of one kind at one place are one finding.
type Finding struct {
	Kind     string   `json:"kind"` // data-race, concurrent-map, panic, deadlock, stuck, leak, property, hang or nondeterminism
	Property string   `json:"property"`
	Schedule int      `json:"schedule"` // the first that showed it, from 1
	Seed     uint64   `json:"seed"`
	Tape     string   `json:"tape"`   // file
	Output   string   `json:"output"` // file with what the program printed in that schedule; "" if it printed nothing
	Summary  string   `json:"summary"`
	Place    string   `json:"place"` // file:line
	Detail   string   `json:"detail"`
	Hash     string   `json:"hash"`
	Shrunk   string   `json:"shrunk"`          // "3 of 412": how many of the choices are left, or "" if the tape is the first one
	Drawn    string   `json:"drawn,omitempty"` // what Rapid drew for the scenario, as JSON
	Story    []string `json:"story"`           // the choices that are left, one by one
	Times    int      `json:"times"`           // how many schedules showed it
	Replays  int      `json:"replays"`         // how often its tape was replayed
	Shown    int      `json:"shown"`           // how many replays showed it again
	Equal    int      `json:"equal"`           // how many replays had an equal hash
}

// text is what a failing test prints.
func (f Finding) text() string {
	var b strings.Builder
	again := ""
	if f.Replays > 0 {
		again = fmt.Sprintf(", shown again by %d of %d replays", f.Shown, f.Replays)
	}
	fmt.Fprintf(&b, "%s (schedule %d, seed %d%s)\n", f.Kind, f.Schedule, f.Seed, again)
	fmt.Fprintf(&b, "  %s\n", f.Summary)
	for _, line := range strings.Split(strings.TrimRight(f.Detail, "\n"), "\n") {
		if line != "" {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	if f.Drawn != "" {
		fmt.Fprintf(&b, "  drawn: %s\n", f.Drawn)
	}
	if f.Shrunk != "" {
		fmt.Fprintf(&b, "  shrunk: %s choices are left\n", f.Shrunk)
	}
	for _, line := range f.Story {
		fmt.Fprintf(&b, "    %s\n", line)
	}
	if f.Equal < f.Replays {
		fmt.Fprintf(&b, "    only %d of %d replays had an equal hash: something here escapes the scheduler\n", f.Equal, f.Replays)
	}
	if f.Output != "" {
		fmt.Fprintf(&b, "  printed: %s\n", f.Output)
	}
	fmt.Fprintf(&b, "  replay: go tool snapstorm replay %s", f.Tape)
	return b.String()
}

func (f Finding) key() string { return key(f.Kind, f.Property, f.Place) }

// writeJSON writes v to a file, whole or not at all.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(text, '\n'))
}
