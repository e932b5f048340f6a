package hand

// traps are mutants that fall into one trap each.
func traps() []Mutant {
	return []Mutant{
		mutant("a late clean-up removes whoever waits under the name",
			edit("handover.go", "if h.waiters[name] == w {\n\t\tdelete(h.waiters, name)\n\t}", "delete(h.waiters, name)"),
			edit("handover.go", "defer h.remove(name, w)", "defer func() {\n\t\tsoon, _ := context.WithTimeout(context.Background(), 1e9)\n"+
				"\t\tcontext.AfterFunc(soon, func() { h.remove(name, w) })\n\t}()"),
		).trap(4).caughtBy("NotifyEventually").unlucky().in("TestSmall", 1000),
		mutant("every snapshot has a claim",
			edit("events.go", "if ok && (isReady", "if ok && *snapshot.Spec.Source.PersistentVolumeClaimName != \"\" && (isReady"),
		).trap(8).caughtBy("panic").in("TestStorm", 5),
		mutant("news is a channel that is closed",
			edit("handover.go", "select {\n\tcase w.news <- struct{}{}:\n\tdefault:\n\t}", "close(w.news)"),
		).trap(10).caughtBy("panic"),
		mutant("an error is not tried again",
			edit("run.go", "m.queue.AddRateLimited(key)", "m.queue.Forget(key)"),
			edit("finalize.go", "m.returnAtDeadline(pod)\n\t\t\treturn err", "return err"),
		).trap(13).caughtBy("NotifyEventually"),
		mutant("a snapshot that is gone is no news",
			edit("events.go", "\t\tDeleteFunc: m.snapshotDeleted,\n", ""),
			edit("events.go", "if wasOK && isOK && was.UID != is.UID {", "if wasOK && isOK && was == nil {"),
			edit("events.go", "(isReady(snapshot) || snapshot.DeletionTimestamp != nil)", "isReady(snapshot)"),
		).trap(16).caughtBy("NotifyEventually"),
		mutant("the cache says what there is",
			edit("backup.go", "snapshot, err := m.config.SnapshotClient.VolumeSnapshots(pod.Namespace).Get(ctx, SnapshotName(pod), metav1.GetOptions{})\n\tif apierrors.IsNotFound(err) {",
				"cached, found, err := m.config.Snapshots.GetStore().GetByKey(pod.Namespace + \"/\" + SnapshotName(pod))\n\tsnapshot, _ := cached.(*snapshotv1.VolumeSnapshot)\n\tif !found {"),
		).trap(17).caughtBy("NotifyRight"),
		generation("a name that was used before finds what was left in the buffer", "stale-buffer").trap(11).caughtBy("NotifyRight"),
		generation("both sides make the channel at once", "load-then-store").trap(12).caughtBy("NotifyEventually").in("TestFresh", 1000),
	}
}

// generation is a mutant of the generation as-filed: the monitor itself does not fall into its trap, for it hands no state over.
func generation(name, files string) Mutant {
	m := mutant(name)
	m.Subject = "testdata/mutants/hand/" + files
	return m
}
