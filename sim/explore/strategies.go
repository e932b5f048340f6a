package explore

import (
	"fmt"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Names are the strategies that can be asked for by name. Replay is asked for by its tape.
var Names = []string{"random"}

// New returns the strategy of one schedule.
func New(name string, seed uint64, schedule int) (sched.Chooser, error) {
	if name == "random" {
		return NewRandom(seed, schedule), nil
	}
	return nil, fmt.Errorf("there is no strategy %q; the strategies are: %s", name, strings.Join(Names, ", "))
}
