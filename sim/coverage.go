package sim

import (
	"fmt"
	"math"
	"strings"

	"github.com/snapstorm/snapstorm/sim/explore"
	"github.com/snapstorm/snapstorm/sim/hook"
)

// Coverage is what the schedules of a Check covered: what a green run means.
type Coverage struct {
	Interleavings int      `json:"interleavings"`    // schedules that differ in more than the order of steps that commute, counted seed by seed
	NewLately     int      `json:"new_of_last_1000"` // how many of the last 1,000 schedules, or of all, were interleavings not met before
	Complete      bool     `json:"complete"`         // an exhaustive search came to its end
	Tasks         int      `json:"tasks"`            // the most that a world had
	Switches      int      `json:"switches"`         // the most choices of who goes on that a world had
	Depths        []Depth  `json:"depths"`           // what PCT promises
	Points        int      `json:"points"`           // places of the program that the scheduler knows of
	NeverReached  []string `json:"never_reached"`    // those that no schedule came to
}

// Depth says how likely it is at least that the PCT schedules of a Check have shown a bug that as many orderings bring about,
// if there is one: see [explore.PCT].
type Depth struct {
	Depth       int     `json:"depth"`
	Schedules   int     `json:"schedules"`
	Probability float64 `json:"probability"`
}

// lately is of how many of the last schedules the coverage tells how many were new.
const lately = 1000

// covering collects the coverage of a Check, schedule by schedule.
type covering struct {
	orders   map[uint64]bool
	fresh    []bool // of the last schedules: were they new interleavings
	places   map[int]bool
	depths   [explore.MaxDepth + 1]int // how many PCT schedules of each depth there were
	tasks    int
	switches int
}

// newCovering is given the places that earlier seeds came to: workers tell of each but once.
func newCovering(places map[int]bool) *covering {
	return &covering{orders: map[uint64]bool{}, places: places}
}

// take adds a world of a strategy. One that died has not told what it came to.
func (c *covering) take(o outcome, strategy string) {
	if o.Died {
		return
	}
	c.fresh = append(c.fresh, !c.orders[o.Order])
	if c.orders[o.Order] = true; len(c.fresh) > lately {
		c.fresh = c.fresh[1:]
	}
	for _, place := range o.Places {
		c.places[place] = true
	}
	c.tasks, c.switches = max(c.tasks, o.Tasks), max(c.switches, o.Switches)
	c.depths[explore.DepthOf(strategy, o.Schedule)]++
}

// sum tells the coverage so far.
func (c *covering) sum() Coverage {
	sum := Coverage{Interleavings: len(c.orders), Tasks: c.tasks, Switches: c.switches, Points: len(hook.Sites()), NeverReached: []string{}, Depths: []Depth{}}
	for _, fresh := range c.fresh {
		if fresh {
			sum.NewLately++
		}
	}
	for depth := 1; depth < len(c.depths); depth++ {
		if n := c.depths[depth]; n > 0 {
			one := 1 / (float64(max(c.tasks, 1)) * math.Pow(float64(max(c.switches, 1)), float64(depth-1)))
			sum.Depths = append(sum.Depths, Depth{depth, n, 1 - math.Pow(1-one, float64(n))})
		}
	}
	for i, site := range hook.Sites() {
		if isLibrary(site.File) {
			sum.Points--
		} else if !c.places[i] {
			sum.NeverReached = append(sum.NeverReached, strings.TrimSpace(site.Position()+" "+site.Op))
		}
	}
	return sum
}

// isLibrary says whether a file is of a copy of a library, whose names begin with that of a host.
func isLibrary(file string) bool {
	first, _, found := strings.Cut(file, "/")
	return found && strings.Contains(first, ".")
}

// add puts the coverage of another seed to this one.
func (c *Coverage) add(other Coverage) {
	c.Interleavings += other.Interleavings
	c.NewLately += other.NewLately
	c.Complete = c.Complete && other.Complete
	c.Tasks, c.Switches = max(c.Tasks, other.Tasks), max(c.Switches, other.Switches)
	for i := range c.Depths {
		if i < len(other.Depths) {
			d := &c.Depths[i]
			d.Schedules += other.Depths[i].Schedules
			d.Probability = 1 - (1-d.Probability)*(1-other.Depths[i].Probability)
		}
	}
	never := map[string]bool{}
	for _, place := range other.NeverReached {
		never[place] = true
	}
	kept := []string{}
	for _, place := range c.NeverReached {
		if never[place] {
			kept = append(kept, place)
		}
	}
	c.NeverReached = kept
}

// mostNever bounds how many of the points that were never reached a person is told.
const mostNever = 10

// text tells a person what was covered.
func (s Summary) coverage() string {
	var b strings.Builder
	if s.Strategy == exhaustive {
		b.WriteString("  " + s.extent() + "\n")
	} else {
		fmt.Fprintf(&b, "  %d of the last %d schedules were new interleavings; up to %d tasks and %d switches\n", s.NewLately, min(s.Schedules, lately), s.Tasks, s.Switches)
	}
	if len(s.Depths) > 0 {
		var parts []string
		for _, d := range s.Depths {
			parts = append(parts, fmt.Sprintf("%d: %s", d.Depth, percent(d.Probability)))
		}
		fmt.Fprintf(&b, "  chance of PCT, at least, to show a bug of depth %s\n", strings.Join(parts, ", "))
	}
	if n := len(s.NeverReached); n > mostNever {
		fmt.Fprintf(&b, "  never reached: %d of %s; -sim.json lists them\n", n, plural(s.Points, "point"))
	} else if n > 0 {
		fmt.Fprintf(&b, "  never reached: %d of %s:\n    %s\n", n, plural(s.Points, "point"), strings.Join(s.NeverReached, "\n    "))
	}
	return b.String()
}

// percent tells a probability. What is rounded is not certain, nor impossible.
func percent(p float64) string {
	switch {
	case p >= 0.9995:
		return "over 99.9%"
	case p >= 0.1:
		return fmt.Sprintf("%.0f%%", 100*p)
	case p >= 0.0001:
		return fmt.Sprintf("%.2g%%", 100*p)
	}
	return "under 0.01%"
}

// extent says how far an exhaustive search has come.
func (s Summary) extent() string {
	bound := fmt.Sprintf("at most %s, %s and %s", plural(flags.preemptions, "preemption"), plural(flags.crashes, "crash"), plural(flags.faults, "fault"))
	if s.Complete {
		return fmt.Sprintf("searched to the end: all %d interleavings with %s", s.Interleavings, bound)
	}
	return fmt.Sprintf("not searched to the end: %d interleavings so far of those with %s", s.Interleavings, bound)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "sh") {
		what += "e"
	}
	return fmt.Sprintf("%d %ss", n, what)
}
