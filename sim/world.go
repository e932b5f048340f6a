package sim

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// World is one simulated execution. A scenario sets it up; it runs when the scenario returns.
type World struct {
	sched   *sched.World
	always  []property
	settled []property
	memory  []memory
	drawn   string // see Rapid
}

// property is a named guarantee.
type property struct {
	name  string
	holds func() error
}

// Program is a program under test.
type Program struct {
	Name    string
	Main    func(ctx context.Context) // one run of it: ordinary code; ctx ends at a crash and at an orderly stop
	Crashes int                       // how often it crashes and starts again in each world, at points that the scheduler chooses

	// Overlaps is in how many of its crashes the program may be replaced instead, as in a rolling update: it is told to
	// stop, and the next run starts beside it. What runs longer than 30 s is killed. Both runs see the same package
	// variables, which no real ones do.
	Overlaps int

	// Stalls is how often the program may stand still for up to some minutes without noticing, as when its machine is
	// suspended, so that the clock jumps for it.
	Stalls int
}

// Start adds a program to the world.
func (w *World) Start(p Program) {
	process := w.sched.NewProcess(p.Name, p.Main, p.Crashes)
	process.MayOverlap(p.Overlaps)
	process.MayStall(p.Stalls)
}

// Go adds an actor: a task of the world itself, which never crashes. Its ctx ends with the world. It may wait for ever, as who
// waits for others to do something does; only for a [Program] is that a finding.
func (w *World) Go(name string, f func(ctx context.Context)) { w.sched.NewActor(name, f) }

// Choose makes a choice of the scenario itself, between 0 and n-1, during set-up. Label names it on tapes.
func (w *World) Choose(label string, n int) int { return w.sched.Ask(label, n) }

// Always adds a property that must hold after every step that had an effect. Holds runs beside the tasks: it may read only
// what locks guard, such as a fake cluster, and must not wait for anything.
func (w *World) Always(name string, holds func() error) {
	w.always = append(w.always, property{name, holds})
}

// Settled adds a property that must hold when nothing more happens: no task can take a step, and nothing has had an
// effect for the world's horizon.
func (w *World) Settled(name string, holds func() error) {
	w.settled = append(w.settled, property{name, holds})
}

func (w *World) run() {
	if len(w.always) > 0 {
		w.sched.OnEffect(func() { w.check(w.always) })
	}
	w.sched.Run(func() {
		w.check(w.always)
		w.check(w.settled)
	})
	w.checkMemory()
}

// check makes a finding of each property that does not hold. The world ends at the first.
func (w *World) check(properties []property) {
	for _, p := range properties {
		if err := p.holds(); err != nil {
			w.sched.Report(sched.Finding{
				Kind: "property", Property: p.name, Summary: fmt.Sprintf("%s does not hold: %v", p.name, err),
			})
			w.sched.Stop()
		}
	}
}

// Logger returns a logger for the program under test. What it logs is part of the world's trace and hash. It takes no
// lock, so it does not order what the program does, which would hide races.
func (w *World) Logger() *slog.Logger { return slog.New(logger{}) }
