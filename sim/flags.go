package sim

import (
	"flag"
	"fmt"
	"regexp"
	"strings"

	"github.com/snapstorm/snapstorm/sim/explore"
	"github.com/snapstorm/snapstorm/sim/sched"
)

// settings are the -sim flags of the test binary.
type settings struct {
	schedules   int
	seed        uint64
	seeds       int
	strategy    string
	replay      string
	points      string
	workers     int
	preemptions int
	crashes     int
	faults      int
	reduce      bool
	stop        bool
	out         string
	json        string
	trace       string
	html        string
	verify      bool
	shrink      int
	rewrite     bool
	junit       string
	strict      bool
	twice       bool
	progress    bool
	until       string
	wanted      *regexp.Regexp // what until says; nil if it says nothing
}

var flags = define(flag.CommandLine)

func define(set *flag.FlagSet) *settings {
	s := &settings{}
	set.IntVar(&s.schedules, "sim.schedules", 0, "worlds to run for each Check; 0 means what the test asks for, or 100")
	set.Uint64Var(&s.seed, "sim.seed", 1, "seed of the strategy")
	set.IntVar(&s.seeds, "sim.seeds", 0, "explore so many seeds, from -sim.seed on, each with all schedules; 0 means what the test asks for, or 1")
	set.StringVar(&s.strategy, "sim.strategy", "portfolio", "what chooses: "+strings.Join(explore.Names, ", "))
	set.StringVar(&s.replay, "sim.replay", "", "replay this tape instead")
	set.StringVar(&s.points, "sim.points", "", "where tasks may be switched: sync (synchronisation only) or shared (also before accesses to shared memory); default sync with -race, shared without")
	set.IntVar(&s.workers, "sim.workers", 0, "processes that run worlds; 0 means one a core")
	set.IntVar(&s.preemptions, "sim.preemptions", 2, "with -sim.strategy=exhaustive: how often a task that could go on is interrupted, at most")
	set.IntVar(&s.crashes, "sim.crashes", 0, "with -sim.strategy=exhaustive: how many crashes there are, at most, ahead of API writes")
	set.IntVar(&s.faults, "sim.faults", 0, "with -sim.strategy=exhaustive: how many other faults and draws of the scenario there are, at most")
	set.BoolVar(&s.reduce, "sim.reduce", true, "with -sim.strategy=exhaustive: leave out schedules that differ only in the order of steps that commute")
	set.BoolVar(&s.stop, "sim.stop", false, "with -sim.strategy=exhaustive: search the orders of the orderly stop at the end, too")
	set.StringVar(&s.out, "sim.out", "", "directory for tapes; default .snapstorm/test in the module")
	set.StringVar(&s.json, "sim.json", "", "write a summary of every Check to this file")
	set.StringVar(&s.trace, "sim.trace", "", "with -sim.replay: write every step of the world to this file")
	set.StringVar(&s.html, "sim.html", "", "with -sim.replay: write a page with the timeline of the world to this file")
	set.BoolVar(&s.verify, "sim.verify", true, "replay every finding, to see how often it shows again")
	set.IntVar(&s.shrink, "sim.shrink", shrinkRuns, "how many worlds the shrinking of one finding may take; 0 leaves tapes as they are")
	set.StringVar(&s.junit, "sim.junit", "", "write a JUnit report of every Check to this file")
	set.BoolVar(&s.strict, "sim.strict", false, "fail a Check in which something that may occur, such as a fault, never did")
	set.BoolVar(&s.rewrite, "sim.rewrite", false, "with -sim.replay: shrink the tape, and write it back")
	set.BoolVar(&s.twice, "sim.twice", false, "run every world twice and compare the hashes, instead of a sample")
	set.BoolVar(&s.progress, "sim.progress", false, "say how it goes, also without -test.v")
	set.StringVar(&s.until, "sim.until", "", "with each seed, stop at the first schedule with a finding that matches this regular expression, as \"kind place: summary\", and look closer at none but those")
	return s
}

// validate returns an error for a flag that makes no sense.
func (s *settings) validate() error {
	if s.points == "" {
		s.points = "shared"
		if sched.RaceEnabled {
			s.points = "sync"
		}
	}
	if _, ok := levels[s.points]; !ok {
		return fmt.Errorf("-sim.points=%s: want sync or shared", s.points)
	}
	switch {
	case s.rewrite && s.replay == "":
		return fmt.Errorf("-sim.rewrite: name the tape with -sim.replay")
	case s.html != "" && s.replay == "":
		return fmt.Errorf("-sim.html: name the tape with -sim.replay")
	case s.preemptions < 0 || s.crashes < 0 || s.faults < 0:
		return fmt.Errorf("-sim.preemptions=%d -sim.crashes=%d -sim.faults=%d: want 0 or more", s.preemptions, s.crashes, s.faults)
	case s.shrink < 0:
		return fmt.Errorf("-sim.shrink=%d: want how many worlds it may take, or 0", s.shrink)
	}
	if _, err := explore.New(s.strategy, 0, 1, 0); err != nil {
		return fmt.Errorf("-sim.strategy=%s: %w", s.strategy, err)
	}
	if s.until != "" {
		var err error
		if s.wanted, err = regexp.Compile(s.until); err != nil {
			return fmt.Errorf("-sim.until=%s: %w", s.until, err)
		}
	}
	if s.seeds < 0 {
		return fmt.Errorf("-sim.seeds=%d: want a positive number", s.seeds)
	}
	if s.schedules < 0 {
		return fmt.Errorf("-sim.schedules=%d: want a positive number", s.schedules)
	}
	return nil
}

// exhaustive is the strategy that is none of one schedule.
const exhaustive = "exhaustive"

var levels = map[string]sched.Level{"sync": sched.LevelSync, "shared": sched.LevelShared}
