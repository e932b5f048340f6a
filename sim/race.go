package sim

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// raceLog reads what the race detector writes, world by world. GORACE's log_path names the file.
type raceLog struct {
	path   string // "" without -race
	offset int64
	errors int
}

// findings returns the races that were reported since the last call. Paths become relative to dir.
func (l *raceLog) findings(dir string) []sched.Finding {
	if n := sched.RaceErrors(); n == l.errors {
		return nil
	} else {
		l.errors = n
	}
	text := l.read()
	var found []sched.Finding
	for _, report := range strings.Split(text, "==================\n") {
		if strings.Contains(report, "WARNING: DATA RACE") {
			f := parseRace(report, dir)
			f.Report = len(found) + 1
			found = append(found, f)
		}
	}
	sameStory(found)
	return found
}

// sameStory takes the first race on a map for all others at the same two places: they are on its insides.
func sameStory(found []sched.Finding) {
	first := map[string]sched.Finding{}
	for _, f := range found {
		if _, known := first[f.Place]; !known && strings.HasPrefix(f.Summary, onMap) {
			first[f.Place] = f
		}
	}
	for i, f := range found {
		if onMap, known := first[f.Place]; known {
			found[i] = onMap
		}
	}
}

const (
	onMap    = "data race on a map: "
	onMemory = "data race on memory: "
)

func (l *raceLog) read() string {
	f, err := os.Open(l.path)
	if err != nil {
		return ""
	}
	defer f.Close()
	buf := make([]byte, 1<<22)
	n, _ := f.ReadAt(buf, l.offset)
	l.offset += int64(n)
	return string(buf[:n])
}

// access is one of the two accesses of a race.
type access struct {
	what   string // "read" or "write"
	frames []sched.Frame
	isMap  bool
}

var accessLine = regexp.MustCompile(`^(?:Previous )?(?:atomic )?(read|write|Read|Write) at 0x[0-9a-f]+ by `)

// parseRace makes a finding of one report of the race detector: the two accesses, in the program's own code.
func parseRace(report, dir string) sched.Finding {
	var both []access
	for _, block := range strings.Split(report, "\n\n") {
		lines := strings.Split(strings.TrimSpace(strings.TrimPrefix(block, "WARNING: DATA RACE\n")), "\n")
		if m := accessLine.FindStringSubmatch(lines[0]); m != nil {
			both = append(both, parseAccess(strings.ToLower(m[1]), lines[1:], dir))
		}
	}
	places := []string{}
	words := []string{}
	var detail strings.Builder
	var parties []sched.Party
	object := onMemory
	for _, a := range both {
		places = append(places, a.place())
		words = append(words, a.what+" at "+a.place())
		if a.isMap {
			object = onMap
		}
		parties = append(parties, a.party())
		fmt.Fprintf(&detail, "%s:\n", a.what)
		for _, f := range a.frames[:min(len(a.frames), maxFrames)] {
			fmt.Fprintf(&detail, "  %s\n      %s\n", f.Func, f.Place)
		}
	}
	slices.Sort(places)
	return sched.Finding{
		Kind: "data-race", Place: strings.Join(slices.Compact(places), ", "),
		Summary: object + strings.Join(words, ", "), Detail: detail.String(), Parties: parties,
	}
}

func (a access) party() sched.Party {
	return sched.Party{Does: a.what, Place: a.place(), Inside: a.frames}
}

func (a access) place() string {
	if len(a.frames) == 0 {
		return "an unknown place"
	}
	return a.frames[0].Place
}

// maxFrames bounds how much of a stack a finding shows.
const maxFrames = 4

func parseAccess(what string, lines []string, dir string) access {
	a := access{what: what}
	for i := 0; i+1 < len(lines); i += 2 {
		function := strings.TrimSuffix(strings.TrimSpace(lines[i]), "()")
		at := strings.TrimSpace(lines[i+1])
		at, _, _ = strings.Cut(at, " +0x")
		if strings.HasPrefix(function, "runtime.map") || strings.HasPrefix(function, "internal/runtime/maps") {
			a.isMap = true
		}
		if !foreign(function) {
			a.frames = append(a.frames, sched.Frame{Func: function, Place: relative(at, dir)})
		}
	}
	return a
}

// foreign says whether a frame is of the runtime or of the harness.
func foreign(function string) bool {
	for _, prefix := range []string{"runtime.", "internal/", "reflect.", "sync.", "github.com/snapstorm/snapstorm/sim/hook.", "github.com/snapstorm/snapstorm/sim/sched."} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}

func relative(at, dir string) string {
	if rel, err := filepath.Rel(dir, at); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return at
}

func racePath(dir string, pid int) string { return filepath.Join(dir, "race."+strconv.Itoa(pid)) }
