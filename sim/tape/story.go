package tape

import (
	"fmt"
	"strings"
)

// maxStory is how long a tape may be to be told in whole.
const maxStory = 12

// Story tells the answers of a tape one by one. What it does not tell is the dullest: who runs goes on until it has to wait,
// the one that is there longest is next, and nothing goes wrong.
func (t *Tape) Story() []string {
	var lines []string
	for _, e := range t.Entries {
		if len(lines) == maxStory {
			return append(lines, fmt.Sprintf("… and %d more choices, on the tape", len(t.Entries)-maxStory))
		}
		lines = append(lines, e.Told())
	}
	return lines
}

// Told is the answer in words.
func (e Entry) Told() string { return when(e) + what(e) }

func when(e Entry) string {
	switch e.After {
	case "":
		return "at the beginning, "
	case e.Task:
		return fmt.Sprintf("at step %d of %s, ", e.Steps+1, e.After)
	}
	return fmt.Sprintf("after step %d of %s, ", e.Steps, e.After)
}

func what(e Entry) string {
	place := strings.TrimSpace(e.What + " at " + e.Where)
	if e.Where == "" {
		place = e.What
	}
	switch e.Asker {
	case "switch":
		if e.Passed != "" {
			return fmt.Sprintf("%s goes on: %s, ahead of %s", e.Task, place, e.Passed)
		}
		return e.Task + " goes on: " + place
	case "case":
		return fmt.Sprintf("case %d comes first: %s", e.Answer+1, place)
	case "crash":
		if strings.HasPrefix(e.What, "replace ") {
			return "that is a replacement: the next run starts beside the last one"
		}
		return "the process crashes: " + place
	case "time":
		return "time passes although others could go on"
	}
	return e.Asker + ": " + place
}
