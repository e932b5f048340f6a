package sim

import (
	"encoding/gob"
	"fmt"
	"os"
	"strings"

	"github.com/snapstorm/snapstorm/sim/explore"
	"github.com/snapstorm/snapstorm/sim/report"
	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// A supervisor and its workers talk in gob over two pipes: requests one way, outcomes the other.

// welcome is the first message to a worker.
type welcome struct {
	Check   int         // the one to serve
	Earlier [][]Summary // what the Checks before it found, so that the test takes the same way again
	Points  string
	ModDir  string
}

// request asks for one world, or for the replays of one.
type request struct {
	Seed     uint64
	Schedule int
	Strategy string
	Switches int        // about how many there are in a world, as the first schedule had
	Tape     *tape.Tape // replay this; nil: explore by strategy
	Guided   bool       // play what fits of the tape, with 0 for all else
	Nudge    explore.Nudge
	Repeat   int  // replay so often
	Twice    bool // run the world again and compare
	Search   bool // play the path, and tell how to go on
	Path     explore.Path
	Bound    explore.Bound
	Once     bool   // run no second world in this process
	Trace    string // write the steps of the first run to this file
	Timeline bool   // return those of the first run
	Drawn    string // see Rapid; that of a tape is on it
	Explain  bool   // return them as they are, and the turns
	suspect  string // find out who changed this
}

// drawn is what the scenario was drawn as.
func (r request) drawn() string {
	if r.Tape != nil {
		return r.Tape.Drawn
	}
	return r.Drawn
}

// outcome is what a world showed.
type outcome struct {
	Schedule int
	Hash     uint64
	Order    uint64            // equal for schedules that differ only in the order of steps that commute
	Found    explore.Expansion // of an exhaustive search
	Steps    int
	Switches int
	Effects  int
	Crashes  int
	Reached  bool
	Tasks    int   // how many there were
	Places   []int // that no world of this worker had come to before, by their index
	Counts   []sched.Count
	Twice    bool
	Findings []sched.Finding
	Entries  []tape.Entry // if there are findings
	Misfit   string       // why a tape does not fit
	Unfit    []int        // if it was guided: which entries nothing asked for
	Leaked   int          // goroutines that cannot be unwound and stay in the worker
	Replays  []replayed
	BySeed   bool   // there are too many entries
	Printed  int64  // how many bytes its first run printed
	Output   string // what it printed: see maxPrinted
	Died     bool   // the world ended its process: there are no entries
	Timeline *report.Timeline
	Trace    []sched.Event
	Turns    []turn // of the entries
}

// replayed is one run of a tape.
type replayed struct {
	Hash  uint64
	Shown []string // keys of the findings
}

// key identifies a flaw: findings of one kind at one place, or of one property, are one.
func key(kind, property, place string) string { return kind + "\x00" + property + "\x00" + place }

func keys(findings []sched.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, key(f.Kind, f.Property, f.Place))
	}
	return all
}

// pipes are one end of the conversation.
type pipes struct {
	enc *gob.Encoder
	dec *gob.Decoder
}

func newPipes(in, out *os.File) pipes { return pipes{gob.NewEncoder(out), gob.NewDecoder(in)} }

// maxEntries bounds a tape. A world that makes more choices, a livelock mostly, is made again from its seed.
const maxEntries = 100_000

// entriesOf lists the choices that are not 0; nil if there are too many.
func entriesOf(r sched.Result) []tape.Entry {
	if len(r.Choices) > maxEntries {
		return nil
	}
	entries := []tape.Entry{}
	nth := map[moment]int{}
	for i, c := range r.Choices {
		m := momentOf(c, r.Names)
		nth[m]++
		if c.Answer == 0 {
			continue
		}
		e := tape.Entry{Index: i, Asker: sched.AskerNames[c.Asker], Answer: int(c.Answer), N: int(c.N), Where: c.Site.Position(), Nth: nth[m] - 1}
		if c.After >= 0 {
			e.After, e.Steps = r.Names[c.After], int(c.Steps)
		}
		if c.Task >= 0 {
			e.Task = r.Names[c.Task]
		}
		if p := c.Passed; p.Task >= 0 {
			e.Passed = strings.TrimSuffix(r.Names[p.Task]+": "+doing(p.Kind, p.Site)+" at "+p.Site.Position(), " at ")
		}
		if e.What = doing(c.Kind, c.Site); c.Label != "" {
			e.What = strings.TrimSpace(c.Label + " " + c.Name)
		}
		entries = append(entries, e)
	}
	return entries
}

// moment is what questions may have in common: those of one moment are told apart by their order. Tasks that have one name
// share their moments, since a tape knows nothing else of them.
type moment struct {
	asker sched.Asker
	after string
	steps int32
	label string
}

func momentOf(c sched.Choice, names []string) moment {
	m := moment{asker: c.Asker, steps: c.Steps}
	if c.After >= 0 {
		m.after = names[c.After]
	}
	if c.Labelled() {
		m.label = c.Label
	}
	return m
}

// doing is what a task is about to do.
func doing(k sched.Kind, s *sched.Site) string {
	if s != nil && s.Op != "" {
		return s.Op
	}
	return k.String()
}

// switchesOf counts the choices of who goes on.
func switchesOf(r sched.Result) int {
	n := 0
	for _, c := range r.Choices {
		if c.Asker == sched.AskSwitch {
			n++
		}
	}
	return n
}

func hashText(h uint64) string { return fmt.Sprintf("%016x", h) }
