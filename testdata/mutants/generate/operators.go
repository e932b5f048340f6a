package generate

// operator makes one kind of mistake, wherever the code allows it.
type operator struct {
	name, does string
	find       func(f *function)
}

// operators are all of them. Their order is that of the mutants.
var operators = []operator{
	{"section-unlocked", "a function takes none of its locks", unlockSections},
	{"lock-dropped", "a lock is released and was never taken", dropLocks},
	{"unlock-dropped", "a lock is taken and never released", dropUnlocks},
	{"lock-late", "a lock is taken one statement later", delayLocks},
	{"unlock-late", "a lock is held until the function returns", delayUnlocks},
	{"section-split", "a lock is released and taken again in the middle", splitSections},
	{"identity-unchecked", "an entry is deleted by its key, whoever's it is", deleteByKey},

	{"channel-unbuffered", "a channel has no buffer", unbuffer},
	{"send-blocking", "a send waits for a receiver", blockSends},
	{"closed-for-sent", "a channel is closed and not sent to", closeForSend},
	{"case-dropped", "a select does not wait for one of its cases", dropCases},
	{"wait-first", "a loop waits before it looks for the first time", waitFirst},
	{"goroutine-joined", "a goroutine's work is done in place", joinGoroutines},
	{"join-dropped", "nobody waits for the goroutines", dropJoins},

	{"context-unbounded", "a context gets no deadline of its own", unboundContexts},
	{"context-detached", "a function forgets the context that it is given", detachContexts},
	{"context-ended", "a context is cancelled where that was to be deferred", endContexts},
	{"context-expired", "the context that bounded a wait is used after it", reuseContexts},
	{"stop-ignored", "nobody looks whether a context has ended", ignoreStops},

	{"uid-unchecked", "an object of the same name passes for this one", skipUIDs},
	{"revision-unchecked", "an update overwrites whatever was written in between", skipRevisions},
	{"precondition-dropped", "a call has no precondition", dropPreconditions},
	{"deletion-unchecked", "an object that is being deleted passes for one that stays", skipDeletions},
	{"tombstone-ignored", "a tombstone is nothing", ignoreTombstones},
	{"handler-dropped", "a kind of event has no handler", dropHandlers},

	{"error-ignored", "an error is not looked at", ignoreErrors},
	{"error-swallowed", "an error is not returned", swallowErrors},
	{"kind-ignored", "an error that is none, or another one, is like any", ignoreKinds},
	{"conflict-final", "a conflict is not tried again", dropRetries},

	{"writes-swapped", "two groups of calls come in the other order", swapWrites},
	{"queue-call-dropped", "a call of the queue is missing", dropQueueCalls},
	{"call-dropped", "a call of the package's own is missing", dropCalls},
}
