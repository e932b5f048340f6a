package hook

import (
	"os"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Exit is os.Exit. It ends the simulated process, not the test's.
func Exit(code int, s *Site) {
	t := sched.Enter(sched.Op{Kind: sched.Step, Site: s})
	if t == nil {
		os.Exit(code)
	}
	t.Exit(code, s)
}
