// Package monitor is the generation send-under-lock of the monitor: its hand-over sends while it holds the lock, and only to those who wait already.
// It is kept to be caught; README.md beside this file says what is wrong with it.
package monitor
