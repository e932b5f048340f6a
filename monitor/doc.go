// Package monitor backs up the volume of every workspace pod that is being
// deleted, and holds the pod until the outcome is written on it.
//
// # What it does
//
// A pod is the monitor's concern when it carries [LabelWorkspace], carries
// [Finalizer], and has a deletion timestamp. For each such pod, once its
// containers have stopped, the monitor
//
//  1. creates a VolumeSnapshot of the pod's claim, named [SnapshotName],
//  2. waits until the snapshot is ready and its content has a handle, or the
//     snapshot is gone, or the deadline has passed,
//  3. records the [Verdict] on the pod, as annotations,
//  4. deletes the claim, if and only if the backup holds,
//  5. drops the finalizer.
//
// # Words
//
// A finalization is one such sequence, in a goroutine of its own. A verdict is
// the final outcome of a backup: a handle, or a failure. The hand-over is how
// the handler of snapshot events tells a finalization to look again. An
// incarnation is one life of a name: a pod or a snapshot with one UID.
//
// # Guarantees
//
//   - One finalization per pod incarnation at a time, and none waits for
//     another's.
//   - A verdict comes from a live read of the snapshot of this very pod; it is
//     written once and never changed.
//   - A claim is deleted only after the verdict is on the pod and a fresh look
//     at the snapshot and its content confirmed it, and only the incarnation of
//     the claim that was backed up.
//   - When the deadline passes, the monitor looks once more, and then records
//     the failure, keeps the claim and lets the pod go. The deadline counts from
//     the pod's deletion timestamp, so a restart does not extend it.
//   - Nothing is remembered that the cluster does not also say: a new process
//     carries on from whatever step the last one reached.
//   - A snapshot that nobody waits for costs one map look-up, however many of
//     them a restart or a resync delivers. No event handler ever blocks.
//   - Run returns after all its finalizations have ended. They leave nothing in
//     the hand-over.
//
// # What it deliberately does not do
//
// It does not elect a leader: run one process at a time (two harm no data, but
// both do the work). It never deletes a snapshot, for snapshots are the backups.
// It does not bound the number of finalizations: each is an idle goroutine most
// of its life, and the rate limit of the clients bounds the calls. It cannot
// stop somebody from deleting a snapshot in the instant after the last look. It
// does not look for what no informer has seen: if a snapshot comes and goes
// between two lists, the pod waits until its deadline.
package monitor
