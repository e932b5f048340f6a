// Package monitor is the generation watch-per-waiter of the monitor: each finalization watches its snapshot by itself.
// It is kept to be caught; README.md beside this file says what is wrong with it.
package monitor
