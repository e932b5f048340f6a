// Package example is a controller over a custom resource, with its tests under
// simulation, to be copied: change the types and the loop to your own.
//
// A [Widget] asks for a number of pods, and the [Reconciler] sees to it that it
// has as many. That is ordinary production code, which knows nothing of the
// simulation. Only the tests import sim and fakes.
//
// # The bug
//
// An informer's cache is behind the cluster, also behind what the controller
// itself has just written. [ByCount] forgets that: it counts the pods in the
// cache and makes as many as are missing, each with a name that the API server
// generates. If anything makes the controller look at the widget again before
// its own pods have come back, then it makes them twice. In production that is
// rare, and gets frequent when the API server is slow.
//
// # The fix
//
// [ByName] asks for pods with names that follow from the widget. What is there
// already cannot be made again: the API server answers AlreadyExists, however
// old the cache is, after a crash at any point, and with two processes at once
// during a rolling update.
package example
