package tape

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/snapstorm/snapstorm/sim/internal/atomicfile"
)

// version is the first line of every tape. It changes whenever old tapes cannot be read any more.
const version = "snapstorm tape 2"

// Tape is one world's answers and what is known about them.
type Tape struct {
	Package  string   // import path of the test's package
	Test     string   // name of the test, with subtests
	Check    int      // which Check of the test, from 0
	Subject  string   // directory of the files that replaced the package's own, relative to the module; "" for its own
	Args     []string // flags of the test itself
	Race     bool
	Points   string // sync or shared
	Strategy string
	Seed     uint64
	Schedule int
	Switches int    // what the strategy took for the number of switches in a world
	Kind     string // of the finding, and the next three
	Property string
	Place    string
	Summary  string
	Hash     string // 16 hex digits
	Steps    int
	Shrunk   string // "3 of 412": how many of the first tape's answers are left
	Reported string // of a race: "14 of 20", how often replays reported it
	Drawn    string // what sim.Rapid drew for the scenario, as JSON; "" for other tests, whose tapes have no line for it
	BySeed   bool   // no entries: the world is made again from strategy, seed and schedule
	Entries  []Entry
}

// Entry is one answer that is not 0.
type Entry struct {
	Index  int    // of the question among all of the world, from 0
	Asker  string // switch, case, crash, time, fault or setup
	Answer int
	N      int    // how many answers there were
	After  string // whose own time dates the question: who took the last step, or takes the next; "" at the beginning
	Steps  int    // how many steps After had begun
	Nth    int    // of the questions of one asker and label at that time, from 0
	Task   string // who goes on
	Where  string // file:line
	What   string // what it is about to do, or the question's label
	Passed string // of a switch: who would have gone on, and with what
}

// field is one line of the header.
type field struct {
	name string
	get  func(*Tape) string
	set  func(*Tape, string) error
}

func text(name string, at func(*Tape) *string) field {
	return field{name, func(t *Tape) string { return *at(t) }, func(t *Tape, s string) error { *at(t) = s; return nil }}
}

func number(name string, at func(*Tape) *int) field {
	return field{name, func(t *Tape) string { return strconv.Itoa(*at(t)) }, func(t *Tape, s string) (err error) {
		*at(t), err = strconv.Atoi(s)
		return err
	}}
}

func truth(name string, at func(*Tape) *bool) field {
	return field{name, func(t *Tape) string { return strconv.FormatBool(*at(t)) }, func(t *Tape, s string) (err error) {
		*at(t), err = strconv.ParseBool(s)
		return err
	}}
}

var header = []field{
	text("package", func(t *Tape) *string { return &t.Package }),
	text("test", func(t *Tape) *string { return &t.Test }),
	number("check", func(t *Tape) *int { return &t.Check }),
	text("subject", func(t *Tape) *string { return &t.Subject }),
	{"args", func(t *Tape) string { return strings.Join(t.Args, "\t") }, func(t *Tape, s string) error {
		if s != "" {
			t.Args = strings.Split(s, "\t")
		}
		return nil
	}},
	truth("race", func(t *Tape) *bool { return &t.Race }),
	text("points", func(t *Tape) *string { return &t.Points }),
	text("strategy", func(t *Tape) *string { return &t.Strategy }),
	{"seed", func(t *Tape) string { return strconv.FormatUint(t.Seed, 10) }, func(t *Tape, s string) (err error) {
		t.Seed, err = strconv.ParseUint(s, 10, 64)
		return err
	}},
	number("schedule", func(t *Tape) *int { return &t.Schedule }),
	number("switches", func(t *Tape) *int { return &t.Switches }),
	text("kind", func(t *Tape) *string { return &t.Kind }),
	text("property", func(t *Tape) *string { return &t.Property }),
	text("place", func(t *Tape) *string { return &t.Place }),
	text("summary", func(t *Tape) *string { return &t.Summary }),
	text("hash", func(t *Tape) *string { return &t.Hash }),
	number("steps", func(t *Tape) *int { return &t.Steps }),
	text("shrunk", func(t *Tape) *string { return &t.Shrunk }),
	text("reported", func(t *Tape) *string { return &t.Reported }),
	truth("by-seed", func(t *Tape) *bool { return &t.BySeed }),
}

// drawn is the line of the header that not all tapes have.
var drawn = text("drawn", func(t *Tape) *string { return &t.Drawn })

// Format returns the tape as text.
func (t *Tape) Format() string {
	var b strings.Builder
	b.WriteString(version + "\n")
	for _, f := range header {
		fmt.Fprintf(&b, "%s\t%s\n", f.name, oneLine(f.get(t)))
	}
	if t.Drawn != "" {
		fmt.Fprintf(&b, "%s\t%s\n", drawn.name, oneLine(t.Drawn))
	}
	b.WriteString("\n")
	for _, e := range t.Entries {
		fmt.Fprintf(&b, "%d\t%s\t%d/%d\t%s\t%s\t%s\t%s\t%s\n", e.Index, e.Asker, e.Answer, e.N, e.moment(), column(e.Task), column(e.Where), column(e.What), column(e.Passed))
	}
	fmt.Fprintf(&b, "end\t%d\n", len(t.Entries))
	return b.String()
}

// LineOf returns the number, from 1, of the line of the tape's text that the i-th entry stands on.
func (t *Tape) LineOf(i int) int {
	line := 1 + len(header) + 1 + 1 + i
	if t.Drawn != "" {
		line++
	}
	return line
}

// moment is "monitor.1@9", with "#2" behind it for the third question then.
func (e Entry) moment() string {
	m := column(e.After) + "@" + strconv.Itoa(e.Steps)
	if e.Nth > 0 {
		m += "#" + strconv.Itoa(e.Nth)
	}
	return m
}

func (e *Entry) parseMoment(m string) error {
	at := max(strings.LastIndex(m, "@"), 0)
	e.After = m[:at]
	steps, nth, numbered := strings.Cut(strings.TrimPrefix(m[at:], "@"), "#")
	var err error
	if numbered {
		e.Nth, err = strconv.Atoi(nth)
	}
	var err2 error
	e.Steps, err2 = strconv.Atoi(steps)
	return errors.Join(err, err2)
}

func oneLine(s string) string { return lineEnds.Replace(s) }

var lineEnds = strings.NewReplacer("\n", " ", "\r", " ")

func column(s string) string { return strings.ReplaceAll(oneLine(s), "\t", " ") }

// Parse reads a tape. Its errors name the line and what is wrong there.
func Parse(text string) (*Tape, error) {
	lines := strings.Split(text, "\n")
	if lines[0] != version {
		return nil, fmt.Errorf("line 1: want %q, found %q: not a tape, or one of another version", version, lines[0])
	}
	t := &Tape{}
	for i, f := range header {
		if err := t.parseField(f, lines, i+1); err != nil {
			return nil, err
		}
	}
	at := len(header) + 1
	if at < len(lines) && strings.HasPrefix(lines[at], drawn.name+"\t") {
		t.Drawn = strings.TrimPrefix(lines[at], drawn.name+"\t")
		at++
	}
	if at >= len(lines) || lines[at] != "" {
		return nil, fmt.Errorf("line %d: want an empty line after the header", at+1)
	}
	last := len(lines) - 2 // the text ends with a newline
	for i := at + 1; i < last; i++ {
		e, err := parseEntry(lines[i])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if n := len(t.Entries); n > 0 && t.Entries[n-1].Index >= e.Index {
			return nil, fmt.Errorf("line %d: question %d does not come after %d", i+1, e.Index, t.Entries[n-1].Index)
		}
		t.Entries = append(t.Entries, e)
	}
	if end := fmt.Sprintf("end\t%d", len(t.Entries)); last <= at || lines[last] != end || lines[last+1] != "" {
		return nil, fmt.Errorf("line %d: want %q at the end: the tape is cut off", max(at, last)+1, end)
	}
	return t, nil
}

func (t *Tape) parseField(f field, lines []string, at int) error {
	if at >= len(lines) {
		return fmt.Errorf("line %d: want %q: the tape is cut off", at+1, f.name)
	}
	name, value, ok := strings.Cut(lines[at], "\t")
	if !ok || name != f.name {
		return fmt.Errorf("line %d: want %q, found %q", at+1, f.name, lines[at])
	}
	if err := f.set(t, value); err != nil {
		return fmt.Errorf("line %d: %s: %w", at+1, f.name, err)
	}
	return nil
}

func parseEntry(line string) (Entry, error) {
	c := strings.Split(line, "\t")
	if len(c) != 8 {
		return Entry{}, fmt.Errorf("want 8 columns, found %d", len(c))
	}
	e := Entry{Asker: c[1], Task: c[4], Where: c[5], What: c[6], Passed: c[7]}
	answer, n, ok := strings.Cut(c[2], "/")
	var errs [4]error
	e.Index, errs[0] = strconv.Atoi(c[0])
	e.Answer, errs[1] = strconv.Atoi(answer)
	e.N, errs[2] = strconv.Atoi(n)
	errs[3] = e.parseMoment(c[3])
	if err := errors.Join(errs[:]...); err != nil || !ok || e.Answer <= 0 || e.Answer >= e.N {
		return Entry{}, fmt.Errorf("want a question's number, an answer between 1 and n-1, and a task's step, as in 12, 3/7, main@5; found %q, %q, %q", c[0], c[2], c[3])
	}
	return e, nil
}

// Read reads the tape in a file.
func Read(path string) (*Tape, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Write writes the tape to a file, whole or not at all.
func (t *Tape) Write(path string) error { return atomicfile.Write(path, []byte(t.Format())) }
