package generate

// operator makes one kind of mistake, wherever the code allows it.
type operator struct {
	name, does string
	find       func(f *function)
	race       bool // only the race detector sees the mistake
}

// operators are all of them. Their order is that of the mutants.
var operators = []operator{
	{"section-unlocked", "a function takes none of its locks", unlockSections, true},
	{"lock-dropped", "a lock is released and was never taken", dropLocks, false},
	{"unlock-dropped", "a lock is taken and never released", dropUnlocks, false},
	{"lock-late", "a lock is taken one statement later", delayLocks, true},
	{"unlock-late", "a lock is held until the function returns", delayUnlocks, false},
	{"section-split", "a lock is released and taken again in the middle", splitSections, false},
	{"identity-unchecked", "an entry is deleted by its key, whoever's it is", deleteByKey, false},

	{"channel-unbuffered", "a channel has no buffer", unbuffer, false},
	{"send-blocking", "a send waits for a receiver", blockSends, false},
	{"closed-for-sent", "a channel is closed and not sent to", closeForSend, false},
	{"case-dropped", "a select does not wait for one of its cases", dropCases, false},
	{"wait-first", "a loop waits before it looks for the first time", waitFirst, false},
	{"goroutine-joined", "a goroutine's work is done in place", joinGoroutines, false},
	{"join-dropped", "nobody waits for the goroutines", dropJoins, false},

	{"context-unbounded", "a context gets no deadline of its own", unboundContexts, false},
	{"context-detached", "a function forgets the context that it is given", detachContexts, false},
	{"context-ended", "a context is cancelled where that was to be deferred", endContexts, false},
	{"context-expired", "the context that bounded a wait is used after it", reuseContexts, false},
	{"stop-ignored", "nobody looks whether a context has ended", ignoreStops, false},

	{"uid-unchecked", "an object of the same name passes for this one", skipUIDs, false},
	{"revision-unchecked", "an update overwrites whatever was written in between", skipRevisions, false},
	{"precondition-dropped", "a call has no precondition", dropPreconditions, false},
	{"deletion-unchecked", "an object that is being deleted passes for one that stays", skipDeletions, false},
	{"tombstone-ignored", "a tombstone is nothing", ignoreTombstones, false},
	{"handler-dropped", "a kind of event has no handler", dropHandlers, false},

	{"error-ignored", "an error is not looked at", ignoreErrors, false},
	{"error-swallowed", "an error is not returned", swallowErrors, false},
	{"kind-ignored", "an error that is none, or another one, is like any", ignoreKinds, false},
	{"conflict-final", "a conflict is not tried again", dropRetries, false},

	{"writes-swapped", "two groups of calls come in the other order", swapWrites, false},
	{"queue-call-dropped", "a call of the queue is missing", dropQueueCalls, false},
	{"call-dropped", "a call of the package's own is missing", dropCalls, false},
}
