// Package schemata puts many mutants of a package into one, so that one test binary has them all: Untch, Offutt and Harrold,
// "Mutation analysis using mutant schemata", ISSTA 1993. Each function that a mutant changes gets a copy that holds the
// changed body, and begins with a switch to that copy, which the flag -mutant of the test binary chooses by its number.
//
// Only functions can be changed so. A mutant that changes a type, an import or a variable needs a test binary of its own.
package schemata
