// Package monitor is the mutant stale-buffer: README.md one directory up says which trap that is.
package monitor
