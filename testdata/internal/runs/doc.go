// Package runs runs tests under the scheduler and reads what they found, for the commands of testdata.
package runs
