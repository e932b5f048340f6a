// Package check is the test of all kernels: each bug found, each twin clean.
package check
