// Package script compares two informers for VolumeSnapshots. It makes random
// scripts, plays a script on either of them, and says where they differ.
//
// # Terms
//
// A script is a list of steps: writes, deviations of the stream, handlers that
// come, go and are slow, resyncs and restarts. A subject is what a script is
// played on: a cluster with informers over it. A trace is what the handlers
// saw in each step, and how the informer looked once nothing moved any more. A
// gap is the time between the end of a stream and its successor; what is
// written there is hidden from the informer. A cut is how a stream ends.
//
// # What is compared
//
// Every callback with its arguments: the identity, revision and state of the
// old and the new object, whether they are one pointer, whether the old one is
// the very object that the handler was given last, and whether the store was
// behind. After each step the content of the store, the revision of the
// informer, and what HasSynced says of the informer and of each registration.
//
// Not compared is the order where the contract of informers leaves it open:
// among the deletions of a relist, among the objects of a resync, among the
// first adds of a late handler, and with a streamed list among its objects.
//
// # What it does not do
//
// It reads the callbacks of one handler at a time; the order between handlers,
// and how far a store is ahead of a callback, are nobody's promise.
package script
