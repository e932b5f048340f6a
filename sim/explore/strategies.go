package explore

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Names are the strategies that can be asked for by name. Replay is asked for by its tape.
var Names = []string{"portfolio", "random", "pct", "pos", "exhaustive", "rapid", Fuzz}

// Fuzz is the strategy that plays bytes. They follow the name, in hexadecimal digits, after a colon; without them it plays none.
const Fuzz = "fuzz"

// MaxDepth is up to which depth PCT goes: schedules take turns.
const MaxDepth = 4

// New returns the strategy of one schedule, which is from 1 on. Switches is about how many there are in a world; PCT
// and rapid want to know.
func New(name string, seed uint64, schedule, switches int) (sched.Chooser, error) {
	name, input, _ := strings.Cut(name, ":")
	switch name {
	case "portfolio":
		return NewPortfolio(seed, schedule, switches), nil
	case "random":
		return NewRandom(seed, schedule), nil
	case "pct":
		return NewPCT(seed, schedule, DepthOf(name, schedule), switches), nil
	case "pos":
		return NewPOS(seed, schedule), nil
	case "exhaustive":
		return NewDirected(nil), nil // the first schedule; the others are known when it has run
	case "rapid":
		return NewRapid(seed, schedule, switches), nil
	case Fuzz:
		list, err := hex.DecodeString(input)
		return NewDetouring(OfBytes(list)), err
	}
	return nil, fmt.Errorf("there is no strategy %q; the strategies are: %s", name, strings.Join(Names, ", "))
}

// DepthOf returns the depth of a schedule of PCT, and 0 for one of another strategy.
func DepthOf(name string, schedule int) int {
	if name == "portfolio" {
		name = portfolio[(schedule-1)%len(portfolio)]
	}
	if name != "pct" {
		return 0
	}
	return 1 + schedule%MaxDepth
}
