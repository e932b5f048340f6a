package report

import "time"

// Timeline is one world, as its page shows it.
type Timeline struct {
	Finding Finding  `json:"finding"`
	Run     []Fact   `json:"run"`    // what the world was, in the order to show it in
	Replay  string   `json:"replay"` // the command that plays it again
	Lanes   []Lane   `json:"lanes"`
	Events  []Event  `json:"events"`
	Choices []Choice `json:"choices"`
}

// Finding is what the world showed to be wrong. Its zero value is none.
type Finding struct {
	Kind    string   `json:"kind"`
	Summary string   `json:"summary"`
	Places  []string `json:"places"` // file:line
	Detail  string   `json:"detail"`
	Step    int      `json:"step"` // in which it was seen; 0 if that is not known
	Race    []Access `json:"-"`    // of a race, those of which anybody can tell when they were
}

// Access is one of a race's: its place, and the step in which it was.
type Access struct {
	Place string
	Step  int
}

// Fact is a name and a value, such as seed and 7.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Lane is a task.
type Lane struct {
	Name  string `json:"name"`
	Group string `json:"group"`
}

// Event is one entry of the trace.
type Event struct {
	Step   int           `json:"step"`
	At     time.Duration `json:"at"`   // since the world began
	Lane   int           `json:"lane"` // index; -1 if it is no task's, such as a crash
	Kind   string        `json:"kind"`
	Inside bool          `json:"inside"` // it happened in the step before it, and is none itself
	Text   string        `json:"text"`
	Place  string        `json:"place"` // file:line, or ""
	Object int           `json:"object"`
	Woken  int           `json:"woken"` // index of the event that let it come, or -1
}

// Choice is an answer of the tape other than 0.
type Choice struct {
	Step   int    `json:"step"`
	Asker  string `json:"asker"`
	Text   string `json:"text"`
	Passed int    `json:"passed"` // of a switch: the lane that would have gone on; else -1
}
