package fakes

import "time"

// Options set up a cluster. The zero value is a control plane without faults.
type Options struct {
	// Faults bound what goes wrong.
	Faults Faults

	// Types are what the cluster serves besides pods, claims, snapshots and
	// contents.
	Types []Type

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

// Faults bound the deviations of informers, watches and calls that the scheduler may choose. Each number is
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

	// HandlerLags per handler: it is kept waiting for
	// its next event, while others get theirs and the cache goes on.
	HandlerLags int

	// InformerLags per informer and incarnation: the whole informer is kept
	// waiting, as by a watch cache that is behind.
	InformerLags int

	// StaleReads in the whole cluster: a Get or a List of a program that asks
	// for resourceVersion "0" is answered by an API server that is behind.
	StaleReads int

	// Mishaps in the whole cluster: API calls of programs that go wrong.
	Mishaps int

	// MishapKinds are those that may happen; nil is what the function Mishaps
	// returns.
	MishapKinds []Mishap

	// MishapsOn tells which calls may go wrong, by verb ("update/status" is
	// one) and resource; nil is all.
	MishapsOn func(verb, resource string) bool

	// Compactions in the whole cluster: the server forgets the past, so that
	// a list or a watch of an old revision is answered with Expired.
	Compactions int

	// Bookmarks in the whole cluster: a watch that allows them is told how far
	// it is, a minute after it began or after the last question.
	Bookmarks int

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
	StaleReads int
	Lags       int // of handlers and informers
	Mishaps    int

	Compactions int
	Bookmarks   int
}
