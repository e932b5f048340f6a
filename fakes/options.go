package fakes

import "time"

// Options set up a cluster. The zero value is a control plane without faults.
type Options struct {
	// Faults bound what informers and watches do beyond the plain stream.
	Faults Faults

	// ResyncPeriod is the period of the informers; zero is none, as in most
	// factories.
	ResyncPeriod time.Duration

	// SnapshotDelays are how long a snapshot may take, in virtual time. The
	// first is the usual one. None means ready at once.
	SnapshotDelays []time.Duration

	// SnapshotsNeverReady lets the snapshot controller give up on a snapshot.
	SnapshotsNeverReady bool

	// StopDelays are how long the containers of a deleted pod may take to
	// stop, in virtual time. The first is the usual one.
	StopDelays []time.Duration
}

// Faults bound the deviations that the scheduler may choose. Each number is
// how many of that kind may happen; zero is none.
type Faults struct {
	// Relists per informer and incarnation: the stream breaks, and a new list
	// hides what happened meanwhile.
	Relists int

	// Resyncs per informer and incarnation, beside those of ResyncPeriod:
	// every cached object is delivered again.
	Resyncs int

	// StaleLists in the whole cluster: after a restart an informer starts
	// from an old list and catches up from there.
	StaleLists int

	// WatchEnds in the whole cluster: a watch of a client is closed by the
	// server some minutes after it was opened.
	WatchEnds int

	// Rare is the odds: a fault is asked for about once in Rare questions.
	// Zero and one leave it to the scheduler.
	Rare int
}

// Stats count what a cluster did.
type Stats struct {
	Calls      int // API calls, those of actors included
	Refused    int // calls that the API answered with an error
	Writes     int // calls that made a revision
	Deliveries int // events that a handler has seen
	Relists    int
	Resyncs    int
	StaleLists int
	WatchEnds  int
}
