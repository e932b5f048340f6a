package script

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Script is what happens to a cluster and to one informer after another.
type Script struct {
	Before   []Write       // what is there when the first informer starts
	Resync   time.Duration // the informers' period; zero is none
	Handlers []Handler     // of each informer from its start
	Steps    []Step
}

// Handler says how a handler is added.
type Handler struct {
	Period Period
	Held   bool // it is slow from its first callback on
}

// Period is how often a handler wants a resync, in periods of its informer.
// Default leaves it to the informer.
type Period int

// The periods of handlers.
const (
	Default Period = iota
	Never
	EverySecond // every second time that the informer looks for resyncs
)

// Verb is what a write does.
type Verb int

// The verbs of writes. None can fail: one that needs an object creates it if
// it is missing.
const (
	Label    Verb = iota // change a label
	Ready                // turn status.readyToUse over
	Delete               //
	Recreate             // delete, and create anew at once
	Nothing              // an update that changes nothing
)

var verbs = [...]string{Label: "label", Ready: "ready", Delete: "delete", Recreate: "recreate", Nothing: "nothing"}

// Write is one write to one object.
type Write struct {
	Verb Verb
	Name string
}

// String is the write in words.
func (w Write) String() string { return verbs[w.Verb] + " " + w.Name }

// Kind is what a step does.
type Kind int

// The kinds of steps.
const (
	Pass    Kind = iota // nothing
	Change              // the writes
	Rewatch             // the stream ends, the writes happen, it goes on where it was
	Relist              // the stream breaks, the writes happen, a new list hides them
	Resync              // a period passes
	Join                // a handler is added late
	Leave               // a handler is removed
	Hold                // a handler's next callback does not return
	Release             // it returns, and all that follow
	Stop                // the informer stops; with writes right after its stream broke
	Restart             // the informer stops, the writes happen, a new informer starts
	Outage              // a restart while the server is out of reach; a handler joins before it is back
)

var kinds = [...]string{
	Pass: "pass", Change: "change", Rewatch: "rewatch", Relist: "relist", Resync: "resync", Join: "join",
	Leave: "leave", Hold: "hold", Release: "release", Stop: "stop", Restart: "restart", Outage: "outage",
}

// Step is one step of a script. Which fields count depends on the kind.
type Step struct {
	Kind    Kind
	Writes  []Write
	Cut     int // how the stream ends, of as many ways as the subject knows
	Handler int // counted among those that are there, and around
	Period  Period
	Held    bool // the handlers that join are slow
	Age     int  // how old the first list is: see Lag
}

// String is the step in one line.
func (s Step) String() string {
	words := []string{kinds[s.Kind]}
	switch s.Kind {
	case Rewatch, Relist:
		words = append(words, fmt.Sprintf("cut %d", s.Cut))
	case Join:
		words = append(words, fmt.Sprintf("period %d", s.Period))
	case Leave, Hold, Release:
		words = append(words, fmt.Sprintf("handler %d", s.Handler))
	case Restart, Outage:
		words = append(words, fmt.Sprintf("age %d", s.Age))
	}
	if s.Held && slices.Contains([]Kind{Join, Restart, Outage}, s.Kind) {
		words = append(words, "held")
	}
	for _, w := range s.Writes {
		words = append(words, w.String())
	}
	return strings.Join(words, ", ")
}

// String is the script, a step a line, without those that do nothing.
func (s Script) String() string {
	lines := []string{fmt.Sprintf("before %v, resync %v, handlers %v", s.Before, s.Resync, s.Handlers)}
	for _, step := range s.Steps {
		if step.Kind != Pass {
			lines = append(lines, step.String())
		}
	}
	return strings.Join(lines, "\n")
}

// GoString is String: it is what rapid logs.
func (s Script) GoString() string { return s.String() }

// Lag tells how many changes the first list of a restarted informer is behind
// when most is the furthest that it may be. By age: none, one, two, four and
// so on, and most for all older.
func Lag(age, most int) int {
	if age == 0 {
		return 0
	}
	return min(1<<(age-1), most)
}
