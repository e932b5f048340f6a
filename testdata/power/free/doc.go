// Package free floods the monitor without the scheduler, as a user's stress test would: real goroutines and informers, client-go's
// fake clientsets, the race detector. It is what the scheduler's numbers are compared with.
package free
