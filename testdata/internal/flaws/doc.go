// Package flaws reads what the historical generations of the monitor are known for.
package flaws
