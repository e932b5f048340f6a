// Package free runs the bugs of the kernels without the scheduler, as a user's plain tests would: with the race detector and
// goleak. It is what the scheduler's numbers are compared with.
package free
