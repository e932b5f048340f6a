// Package conformance holds fakes.Cluster against a real Kubernetes API server
// with a real etcd, both in this process. It is a module of its own, so that
// nobody who uses snapstorm has to download a server.
//
// # Terms
//
// A script is some twenty API calls on a few names, drawn by rapid. A side is
// one of the two servers behind the typed client that both have in common. A
// trace is what a script saw there: the answer to each call, what its watches
// reported, and what was left. Answers are normalised: UIDs are numbered as they appear,
// revisions by their rank, times only tell that they are set.
//
// # What it guarantees
//
// Two sides are conformant for a script when their traces are equal, line by
// line: the objects with all their metadata, the errors by reason and code,
// lists in their order, watch events in their order. TestMutations holds that
// the comparison bites: it breaks the cluster on purpose, and each break must
// be found.
//
// # What it does not do
//
// The server has the definitions of VolumeSnapshot and VolumeSnapshotContent,
// whose storage is the same code that serves every other resource. Pods and
// claims need a whole kube-apiserver; their own rules, such as grace periods,
// are not compared. Nor is what the cluster's package comment leaves out:
// validation against a schema, admission, server-side apply, dry runs,
// managedFields. Messages of errors may differ.
package conformance
