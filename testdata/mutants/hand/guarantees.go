package hand

// guarantees are mutants that break one guarantee each.
func guarantees() []Mutant {
	return []Mutant{
		mutant("a snapshot of the pod's name is anybody's",
			edit("name.go", `"backup-" + string(pod.UID)`, "pod.Name"),
			edit("snapshot.go", "if !madeFor(snapshot, pod.UID) {", "if false {"),
			edit("verdict.go", "case !madeFor(snapshot, pod):", "case false:"),
		).onlyBy("NotifyRight"),
		mutant("a pod that is finalized again gets another verdict",
			edit("finalize.go", "verdict, found := Recorded(pod)\n", "verdict, found := Recorded(pod)\n\tfound = false\n"),
			edit("record.go", "if found {\n\t\t\tstands", "if found && earlier == verdict {\n\t\t\tstands"),
			edit("backup.go", "Failure: err.Error()}, nil", "Failure: err.Error() + time.Now().String()}, nil"),
		).onlyBy("NotifyOnce").trap(15).unlucky().in("TestSmall", 200),
		mutant("who waits looks only when there is news",
			edit("handover.go", "verdict, err := look(ctx)\n\t\tif !errors.Is(err, errNotReady) {\n\t\t\treturn verdict, err\n\t\t}\n\t\tselect {\n\t\tcase <-w.news:\n",
				"select {\n\t\tcase <-w.news:\n\t\t\tverdict, err := look(ctx)\n\t\t\tif !errors.Is(err, errNotReady) {\n\t\t\t\treturn verdict, err\n\t\t\t}\n"),
		).onlyBy("NotifyEventually").trap(3),
		mutant("a lock is held while a pod is backed up",
			edit("monitor.go", "config   Config\n", "config   Config\n\tone      sync.Mutex\n"),
			edit("monitor.go", "\"log/slog\"\n", "\"log/slog\"\n\t\"sync\"\n"),
			edit("backup.go", "if m.expired(pod) {\n\t\treturn m.lookNow", "m.one.Lock()\n\tdefer m.one.Unlock()\n\tif m.expired(pod) {\n\t\treturn m.lookNow"),
		).onlyBy("NoWedge").trap(14).in("TestFresh", 200),
		mutant("a claim goes without a backup when the deadline has passed",
			edit("claim.go", "if !verdict.Saved() {\n\t\treturn \"\", nil\n", "if !verdict.Saved() {\n"+
				"\t\terr := m.config.ClaimClient.PersistentVolumeClaims(pod.Namespace).Delete(ctx, claimOf(pod), metav1.DeleteOptions{})\n"+
				"\t\tif apierrors.IsNotFound(err) {\n\t\t\terr = nil\n\t\t}\n\t\treturn \"\", err\n"),
		).onlyBy("NoDataLoss"),
		mutant("the claim goes before the verdict is recorded",
			edit("finalize.go", "verdict, err := m.record(ctx, keyOf(pod), verdict)\n\tvar kept string\n\tif err == nil {\n\t\tkept, err = m.discardClaim(ctx, pod, verdict)\n",
				"kept, err := m.discardClaim(ctx, pod, verdict)\n\tif err == nil {\n\t\t_, err = m.record(ctx, keyOf(pod), verdict)\n"),
		).onlyBy("RestartSafe"),
		mutant("the context that bounded the wait bounds the writes",
			edit("finalize.go", "ctx, cancel := context.WithTimeout(ctx, stepTimeout)\n\tdefer cancel()\n\tverdict, err", "ctx, cancel := context.WithDeadline(ctx, m.deadline(pod))\n\tdefer cancel()\n\tverdict, err"),
		).onlyBy("Deadline").trap(9),
		mutant("a pod is written as it was read",
			edit("pod.go", "_, err = m.config.PodClient", "pod.ResourceVersion = \"\"\n\t\t_, err = m.config.PodClient"),
		).onlyBy("KeepsOthers").unlucky().in("TestSmall", 200),
		mutant("nobody removes a waiter", edit("handover.go", "\tdefer h.remove(name, w)\n", "")).onlyBy("NoResidue").trap(4),
		mutant("a pod without a backup is held", edit("finalize.go", "if err == nil {\n\t\terr = m.release(", "if err == nil && verdict.Saved() {\n\t\terr = m.release(")).onlyBy("Settles"),
	}
}
