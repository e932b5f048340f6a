// Package kernels holds small programs with one concurrency bug each, and their fixed twins.
//
// A kernel is a few lines of ordinary Go in the shape of a bug that real projects had, restated in code of our own. Its
// function Bug must be found, and its twin Fixed, which differs by the fix alone, must never be. Both are the main function
// of a program: they may leave goroutines behind as long as those end when ctx does. A kernel whose bug is a wrong result
// panics when it sees it.
package kernels
