package monitor_test

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/snapstorm/snapstorm/monitor"
)

// judgeVerdict compares what is written on a pod before and after a write.
func (w *witness) judgeVerdict(before, after *corev1.Pod, now time.Time) {
	was, had := monitor.Recorded(before)
	is, has := monitor.Recorded(after)
	switch {
	case had && was != is:
		w.broke(notifyOnce, "the verdict of pod %s was %+v and became %+v", after.Name, was, is)
	case !had && has && is.Saved() && !w.right(after, is):
		w.broke(notifyRight, "pod %s with UID %s got snapshot %s with handle %s", after.Name, after.UID, is.Snapshot, is.Handle)
	case !had && has && !is.Saved() && w.hasty(after, now):
		w.broke(notifyRight, "pod %s got the verdict %q before the deadline, and its first snapshot is there or none was tried", after.Name, is.Failure)
	}
}

// hasty says whether a failure comes too early: the deadline is yet to come, and the pod's first snapshot is still there, or
// nobody has made one of a claim that was there all the time although the snapshot's name was free.
func (w *witness) hasty(pod *corev1.Pod, now time.Time) bool {
	if !now.Before(pod.DeletionTimestamp.Add(w.deadline)) {
		return false
	}
	made := w.made[pod.UID]
	if len(made) == 0 {
		return !w.taken(pod) && slices.ContainsFunc(w.cluster.PersistentVolumeClaims(), func(claim *corev1.PersistentVolumeClaim) bool {
			return mounts(pod, claim) && claim.CreationTimestamp.Before(pod.DeletionTimestamp)
		})
	}
	return len(made) == 1 && made[0].gone.IsZero()
}

// taken says whether there has been a snapshot with the name of the pod's, not made for it, when the pod had to be backed up.
func (w *witness) taken(pod *corev1.Pod) bool {
	return slices.ContainsFunc(w.snapshots, func(s *snapshotStory) bool {
		return s.snapshot.Namespace == pod.Namespace && s.snapshot.Name == monitor.SnapshotName(pod) && s.snapshot.Labels[monitor.LabelPodUID] != string(pod.UID) &&
			(s.gone.IsZero() || !s.gone.Before(pod.DeletionTimestamp.Time))
	})
}

// judgeWrite judges what a write leaves of an earlier one.
func (w *witness) judgeWrite(before, after *corev1.Pod) {
	for key := range before.Annotations {
		if _, kept := after.Annotations[key]; !kept {
			w.broke(keepsOthers, "pod %s lost the annotation %s", after.Name, key)
		}
	}
}

// right says whether the verdict is of a snapshot that was made for this pod.
func (w *witness) right(pod *corev1.Pod, verdict monitor.Verdict) bool {
	for _, s := range w.snapshots {
		mine := s.snapshot.Namespace == pod.Namespace && s.snapshot.Labels[monitor.LabelPodUID] == string(pod.UID)
		if mine && s.snapshot.Name == verdict.Snapshot && slices.Contains(w.handles[s.snapshot.UID], verdict.Handle) {
			return true
		}
	}
	return false
}

// judgeLoss judges the deletion of a claim. Names are used again: the backup of an earlier claim is none of this one.
func (w *witness) judgeLoss(claim *corev1.PersistentVolumeClaim) {
	if !slices.ContainsFunc(w.pods, func(p *podStory) bool {
		verdict, _ := monitor.Recorded(p.pod)
		return mounts(p.pod, claim) && verdict != (monitor.Verdict{}) && !p.released
	}) {
		w.broke(restartSafe, "claim %s was deleted, and no pod that is held has a verdict", claim.Name)
	}
	for _, s := range w.snapshots {
		source := s.snapshot.Spec.Source.PersistentVolumeClaimName
		of := s.snapshot.Namespace == claim.Namespace && source != nil && *source == claim.Name && !s.snapshot.CreationTimestamp.Before(&claim.CreationTimestamp)
		if of && !s.ready.IsZero() && s.gone.IsZero() {
			return
		}
	}
	w.broke(noDataLoss, "claim %s was deleted without a backup", claim.Name)
}

func mounts(pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) bool {
	return pod.Namespace == claim.Namespace && slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
		return v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim.Name
	})
}

// judgeRelease judges that a pod was let go.
func (w *witness) judgeRelease(pod *corev1.Pod) {
	verdict, found := monitor.Recorded(pod)
	if !found {
		w.broke(restartSafe, "pod %s was let go without a verdict", pod.Name)
		return
	}
	if !verdict.Saved() || pod.Annotations[monitor.AnnotationVolumeKept] != "" {
		return
	}
	for _, claim := range w.cluster.PersistentVolumeClaims() {
		if claim.UID == verdict.ClaimUID && claim.DeletionTimestamp == nil {
			w.broke(restartSafe, "pod %s was let go, and its claim %s is still there", pod.Name, claim.Name)
		}
	}
}

// judgePace judges whether the next thing that is to be done for a pod is late.
func (w *witness) judgePace(p *podStory, now time.Time) {
	if p.released {
		return
	}
	late := func(since time.Time) bool {
		if since.Before(w.trouble) {
			since = w.trouble
		}
		return now.Sub(since) > patience
	}
	var s *snapshotStory
	if made := w.made[p.pod.UID]; len(made) > 0 {
		s = made[len(made)-1]
	}
	switch {
	case p.stopped.IsZero():
		if p.recorded.IsZero() && late(p.pod.DeletionTimestamp.Add(w.deadline)) {
			w.broke(deadlineKept, "pod %s runs and has no verdict", p.pod.Name)
		}
	case !p.recorded.IsZero():
		if late(p.recorded) {
			w.broke(settles, "pod %s has its verdict and is held", p.pod.Name)
		}
	case s == nil:
		if late(p.stopped) {
			w.broke(noWedge, "pod %s has stopped, and there is no snapshot and no verdict", p.pod.Name)
		}
	case late(p.pod.DeletionTimestamp.Add(w.deadline)):
		w.broke(deadlineKept, "pod %s has no verdict", p.pod.Name)
	case !s.gone.IsZero() && w.cluster.Missed(s.snapshot.UID): // nobody can know of it
	case !s.ready.IsZero() || !s.gone.IsZero():
		if late(s.ready) && late(s.gone) && late(p.stopped) {
			w.broke(notifyEventually, "pod %s has no verdict", p.pod.Name)
		}
	}
}
