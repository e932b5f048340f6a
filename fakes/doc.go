// Package fakes is a Kubernetes control plane in memory: an API server with
// its clients, shared informers over it, and the actors that a controller
// meets there. Under a simulated world every call, every delivered event and
// every fault is a point or a choice of the scheduler, so one seed gives one
// run. Outside a world the same code runs free, with real goroutines, as in
// an ordinary unit test.
//
// # Terms
//
// A cluster holds the truth. A revision is a number that grows by one with
// each write; it is the resourceVersion that clients see. A change is one
// write as a watch reports it. An incarnation is one run of the program under
// test, with informers and caches of its own; the cluster outlives them. An
// actor is a part of the control plane that acts by itself, such as the
// kubelet.
//
// # What it guarantees
//
//   - Optimistic concurrency: a write with an old resourceVersion is refused
//     with Conflict, a second create with AlreadyExists, and so on, with the
//     errors of k8s.io/apimachinery/pkg/api/errors.
//   - Finalizers, deletionTimestamp, grace periods, preconditions, the status
//     subresource and generateName follow the API server's rules. A write
//     that changes nothing makes no revision and no event.
//   - A list in pages is of one revision. Lists and watches may begin in the
//     past, until it is compacted; then they are refused with Expired. Events
//     and errors are those of the API server.
//   - An informer may be late, skip states in a relist, repeat an object in a
//     resync, start from an old list after a restart: everything that the
//     contract of cache.SharedInformer allows, and nothing that it forbids.
//   - Faults are bounded by counts, are choices of the scheduler with names,
//     and are counted. Each can happen in a real cluster, and takes as long.
//   - In every world a judge that knows the contract and not the informer
//     watches what each handler is told.
//   - No order of a Go map can be seen: lists are in the order of their keys,
//     names and UIDs come from counters.
//   - Under the race detector the cluster orders two goroutines only when one
//     reads what the other wrote. A data race of the program is not hidden by
//     the calls that it makes beside it.
//
// # What it does not do
//
// It serves Pods, PersistentVolumeClaims, VolumeSnapshots and
// VolumeSnapshotContents, and the types that Options.Types names, a user's own
// or ready-made ones such as Deployments; any other resource answers "not
// found". Of most built-in types it has the storage alone: no controller acts
// on them but the actors of this package. Namespaces are names: none has to
// exist, and none is emptied. It does no admission, defaulting or schema
// validation beyond the rules above, no subresource but status, and refuses
// server-side apply and dry runs. Garbage is collected where GarbageCollector
// runs, save for cycles of owners that are deleted in the foreground. Secrets
// in manifests are never kept.
//
// Two ways of a client are less exact than ClientFor and the clients of the
// four types: what a generated fake clientset answers drops contexts, and its
// lock orders those who call it.
//
// Objects in informers' caches are shared with the cluster, as they are
// shared among handlers in client-go. Whoever changes one breaks the contract
// of the cache, and that is a finding of the world; what the clients return is
// a copy and may be changed.
package fakes
