// Package monitor is the mutant load-then-store: README.md one directory up says which trap that is.
package monitor
