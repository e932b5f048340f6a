package sim

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
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
	Hash               string         `json:"hash"`     // of the hashes of all schedules: equal runs have equal ones
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
			total.Hash = chained(total.Hash, s.Hash)
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

// chained is the hash of what came before and of what comes next.
func chained(before, next string) string {
	h := fnv.New64a()
	fmt.Fprintln(h, before, next)
	return hashText(h.Sum64())
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

// listed has two lines for each finding, with its tape, for tests that want findings: these do not care what was covered.
func (s Summary) listed() string {
	var b strings.Builder
	if s.Strategy == exhaustive {
		fmt.Fprintln(&b, "  "+s.extent())
	}
	for _, f := range s.Findings {
		fmt.Fprintf(&b, "  %s\n    go tool snapstorm replay %s\n", f.headline(), here(f.Tape))
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
	Kind        string   `json:"kind"` // data-race, concurrent-map, panic, deadlock, stuck, leak, property, hang or nondeterminism
	Property    string   `json:"property"`
	Schedule    int      `json:"schedule"` // the first that showed it, from 1
	Seed        uint64   `json:"seed"`
	Tape        string   `json:"tape"`   // file
	Output      string   `json:"output"` // file with what the program printed in that schedule; "" if it printed nothing
	Summary     string   `json:"summary"`
	Place       string   `json:"place"` // file:line
	Detail      string   `json:"detail"`
	Hash        string   `json:"hash"`
	Shrunk      string   `json:"shrunk"`          // "3 of 412": how many of the choices are left, or "" if the tape is the first one
	Drawn       string   `json:"drawn,omitempty"` // what Rapid drew for the scenario, as JSON
	Story       []string `json:"story"`           // the choices that are left, one by one
	Explanation []string `json:"explanation"`     // why it came about: see explain
	Times       int      `json:"times"`           // how many schedules showed it
	Replays     int      `json:"replays"`         // how often its tape was replayed
	Shown       int      `json:"shown"`           // how many replays showed it again
	Equal       int      `json:"equal"`           // how many replays had an equal hash
}

// String is what a failing test prints: what and where, how sure that is, why, and how to see it again. It begins on a line of
// its own, since package testing writes in front of the first one.
func (f Finding) String() string {
	lines := []string{""}
	add := func(indent string, more ...string) {
		for _, line := range more {
			lines = append(lines, strings.TrimRight(indent+line, " "))
		}
	}
	add("", wrap(f.headline(), "  ", textWidth)...)
	add("  ", wrap(f.certainty(), "", textWidth-2)...)
	if f.Drawn != "" {
		add("  ", "drawn: "+f.Drawn)
	}
	if f.Explanation != nil {
		add("", "")
		add("  ", f.Explanation...)
		add("", "")
	} else {
		add("    ", f.details()...)
	}
	if f.Output != "" {
		add("  ", "printed: "+here(f.Output))
	}
	tape := here(f.Tape)
	add("  ", "replay: go tool snapstorm replay "+tape, "with -html=page.html before the tape it also draws the timeline")
	return strings.Join(lines, "\n")
}

// here names a file from the module's directory, where commands are given; in a process that runs no tests, from the current one.
func here(path string) string {
	dir := info.ModuleDir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	return relative(path, dir)
}

// headline is the kind and the summary, unless that begins with the same words.
func (f Finding) headline() string {
	if strings.HasPrefix(f.Summary, strings.ReplaceAll(f.Kind, "-", " ")) {
		return f.Summary
	}
	return f.Kind + ": " + f.Summary
}

// details is what is told of a finding that nobody can explain.
func (f Finding) details() []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimRight(f.Detail, "\n"), "\n") {
		if line != "" {
			lines = append(lines, line)
		}
	}
	for _, line := range f.Story {
		lines = append(lines, wrap("- "+line, "  ", textWidth-4)...)
	}
	return lines
}

// certainty says where the finding comes from, and whether replays agree.
func (f Finding) certainty() string {
	text := fmt.Sprintf("schedule %d, seed %d", f.Schedule, f.Seed)
	switch f.Shrunk {
	case "":
	case "0 of 0":
		text += "; it took no choice"
	default:
		text += fmt.Sprintf("; %s choices are left", f.Shrunk)
	}
	switch {
	case f.Replays == 0:
		return text + "."
	case f.Equal < f.Replays:
		return text + fmt.Sprintf("; sometimes: shown again by %d of %d replays, and only %d took the same steps: something here escapes the scheduler.", f.Shown, f.Replays, f.Equal)
	case f.Shown < f.Replays && f.Kind == "data-race":
		return text + fmt.Sprintf("; sometimes: shown again by %d of %d replays, all of the same steps: the race detector drops some of what it sees.", f.Shown, f.Replays)
	case f.Shown < f.Replays:
		return text + fmt.Sprintf("; sometimes: shown again by %d of %d replays.", f.Shown, f.Replays)
	}
	return text + fmt.Sprintf("; always: shown again by %d of %d replays.", f.Shown, f.Replays)
}

// wanted says whether the finding is what -sim.until asks for, or any if it asks for nothing. Only these are shrunk, replayed
// and explained.
func (f Finding) wanted() bool {
	return flags.wanted == nil || flags.wanted.MatchString(f.Kind+" "+f.Place+": "+f.Summary)
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
