// Package generate breaks a package of Go in many ways, one at a time. An operator looks for one shape of code in which
// programs with several goroutines, or controllers, are known to go wrong, and makes the mistake there. It never changes more
// than the body of one function, so that all mutants fit into one test binary; see package schemata.
//
// What an operator takes out is left in the text, where it is never reached: so all that was used is still used, and the
// mutant compiles.
package generate
