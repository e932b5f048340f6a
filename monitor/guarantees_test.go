package monitor_test

import (
	"flag"
	"fmt"
	"time"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/sim"
)

// guarantee is something that the monitor promises. A breach of it is an error that wraps it.
type guarantee struct{ name, sentence string }

// Error returns the sentence that does not hold.
func (g *guarantee) Error() string { return g.sentence }

// broken is how the guarantee was broken.
func (g *guarantee) broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", g, fmt.Sprintf(format, args...))
}

// What the monitor guarantees in every scenario. Patience is how much longer than it must a thing may take, counted from
// when something went wrong last.
var (
	notifyRight      = &guarantee{"NotifyRight", "a verdict is of the snapshot that was made for this incarnation of the pod"}
	notifyOnce       = &guarantee{"NotifyOnce", "a verdict is written once and stays as it is"}
	notifyEventually = &guarantee{"NotifyEventually", "a pod whose snapshot is seen to be ready or gone gets its verdict, long before the deadline"}
	noWedge          = &guarantee{"NoWedge", "a stopped pod gets its snapshot, whatever other pods and snapshots wait for"}
	noDataLoss       = &guarantee{"NoDataLoss", "a claim is deleted only when a ready snapshot of it has a handle"}
	restartSafe      = &guarantee{"RestartSafe", "a crash between any two writes harms nothing: there is one snapshot for a pod, the claim goes after the record, the finalizer last"}
	deadlineKept     = &guarantee{"Deadline", "a pod has its verdict when the deadline has passed"}
	keepsOthers      = &guarantee{"KeepsOthers", "what others have written on a pod stays"}
	noResidue        = &guarantee{"NoResidue", "the hand-over holds nothing for nobody"}
	settles          = &guarantee{"Settles", "a pod with a verdict is let go, and then nothing more is written"}
)

var only = flag.String("guarantee", "", "the only guarantee to check; all if empty, none for a name that no guarantee has")

func (g *guarantee) wanted() bool { return *only == "" || *only == g.name }

// ofWrites are the guarantees that each write may break, and each that does not come.
var ofWrites = []*guarantee{notifyRight, notifyOnce, notifyEventually, noWedge, noDataLoss, restartSafe, deadlineKept, keepsOthers, settles}

// guarantees adds the properties that every scenario checks, for a monitor with that deadline.
func guarantees(w *sim.World, cluster *fakes.Cluster, deadline time.Duration) {
	seen := newWitness(cluster, deadline)
	for _, g := range ofWrites {
		if g.wanted() {
			w.Always(g.name, func() error { return seen.breach(g) })
			w.Settled(g.name, func() error { return seen.lastly(g) })
		}
	}
	if !noResidue.wanted() {
		return
	}
	w.Settled(noResidue.name, func() error {
		if n := running.Load().Waiting(); n > 0 {
			return noResidue.broken("it has %d entries although nobody waits", n)
		}
		return nil
	})
}
