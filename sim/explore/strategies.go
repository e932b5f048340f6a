package explore

import (
	"fmt"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Names are the strategies that can be asked for by name. Replay is asked for by its tape.
var Names = []string{"portfolio", "random", "pct", "pos", "exhaustive"}

// maxDepth is up to which depth PCT goes: schedules take turns.
const maxDepth = 4

// New returns the strategy of one schedule, which is from 1 on. Switches is about how many there are in a world; only PCT
// wants to know.
func New(name string, seed uint64, schedule, switches int) (sched.Chooser, error) {
	switch name {
	case "portfolio":
		return NewPortfolio(seed, schedule, switches), nil
	case "random":
		return NewRandom(seed, schedule), nil
	case "pct":
		return NewPCT(seed, schedule, 1+schedule%maxDepth, switches), nil
	case "pos":
		return NewPOS(seed, schedule), nil
	case "exhaustive":
		return NewDirected(nil), nil // the first schedule; the others are known when it has run
	}
	return nil, fmt.Errorf("there is no strategy %q; the strategies are: %s", name, strings.Join(Names, ", "))
}
