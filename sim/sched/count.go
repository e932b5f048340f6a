package sched

// Count is how often something occurred in a world.
type Count struct {
	Name string
	N    int
}

// Occurred counts n more of what name says. With 0 it tells that such a thing may occur, so that a report can say that it
// never did.
//
//go:norace
func Occurred(name string, n int) {
	w := active
	if w == nil {
		return
	}
	for i := range w.counts {
		if w.counts[i].Name == name {
			w.counts[i].N += n
			return
		}
	}
	w.counts = push(w.counts, Count{name, n})
}

// Violated reports that a property does not hold, and ends the world after the current step. Why says more.
//
//go:norace
func Violated(property, why string) {
	t := Hold()
	if t == nil {
		panic(property + " does not hold: " + why)
	}
	t.world.Report(Finding{Kind: "property", Property: property, Summary: property + " does not hold: " + why})
	t.world.Stop()
}
