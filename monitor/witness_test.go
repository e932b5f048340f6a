package monitor_test

import (
	"slices"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/monitor"
)

const (
	// patience is how long the monitor may be late. It is longer than any fault lasts and than any pause between tries.
	patience = 10 * time.Minute

	// mostWrites is how often an object may be changed: more than all who work in a scenario have reason to.
	mostWrites = 60
)

// witness sees every write of a world, in order, and keeps what the guarantees are about. Only the root may use it.
type witness struct {
	cluster   *fakes.Cluster
	deadline  time.Duration // the monitor's
	revision  int64         // of the last write that was seen
	looked    time.Time     // when the last look was
	faults    int           // so far
	trouble   time.Time     // when there was one last
	pods      []*podStory
	snapshots []*snapshotStory
	stories   map[types.UID]*snapshotStory   // the same, by UID
	made      map[types.UID][]*snapshotStory // those for each pod, the last one last
	handles   map[types.UID][]string         // that the content of each snapshot has had
	writes    map[types.UID]int
	breaches  map[*guarantee]error // the first of each
}

// podStory is what became of a pod that stops.
type podStory struct {
	pod      *corev1.Pod // its last state
	stopped  time.Time   // when its containers had ended
	recorded time.Time   // when it got its verdict
	released bool        // its finalizer is gone, or it is
}

// snapshotStory is what became of a snapshot.
type snapshotStory struct {
	snapshot *snapshotv1.VolumeSnapshot // its last state
	ready    time.Time                  // when it was ready with a handle for the first time
	gone     time.Time                  // when its deletion began
}

func newWitness(cluster *fakes.Cluster, deadline time.Duration) *witness {
	return &witness{
		cluster: cluster, deadline: deadline, trouble: time.Now(),
		stories: map[types.UID]*snapshotStory{}, made: map[types.UID][]*snapshotStory{}, handles: map[types.UID][]string{}, writes: map[types.UID]int{}, breaches: map[*guarantee]error{},
	}
}

// breach says how a guarantee was broken until now.
func (w *witness) breach(g *guarantee) error {
	w.look(time.Now())
	return w.breaches[g]
}

// lastly is breach in a world in which nothing more happens: what is not there by now never comes.
func (w *witness) lastly(g *guarantee) error {
	w.look(time.Now().Add(100 * patience))
	return w.breaches[g]
}

// look takes in what was written since the last look. Whatever is late was so before that.
func (w *witness) look(now time.Time) {
	s := w.cluster.Stats()
	if n := s.Relists + s.StaleLists + s.WatchEnds + s.StaleReads + s.Lags + s.Mishaps; n > w.faults {
		w.faults, w.trouble = n, now
	}
	if !now.Equal(w.looked) { // nobody gets late while no time passes
		w.looked = now
		for _, p := range w.pods {
			w.judgePace(p, now)
		}
	}
	for _, c := range w.cluster.ChangesAfter(w.revision) {
		w.revision = c.Revision
		w.see(c, now)
	}
}

func (w *witness) broke(g *guarantee, format string, args ...any) {
	if w.breaches[g] == nil {
		w.breaches[g] = g.broken(format, args...)
	}
}

func (w *witness) see(c fakes.Change, now time.Time) {
	if c.Type == watch.Modified {
		uid := c.Object.(metav1.Object).GetUID()
		if w.writes[uid]++; w.writes[uid] > mostWrites {
			w.broke(settles, "%s %s was written %d times", c.Resource, c.Key, w.writes[uid])
		}
	}
	switch o := c.Object.(type) {
	case *corev1.Pod:
		w.seePod(c, o, now)
	case *corev1.PersistentVolumeClaim:
		if before, _ := c.Before.(*corev1.PersistentVolumeClaim); before != nil && before.DeletionTimestamp == nil && (c.Type == watch.Deleted || o.DeletionTimestamp != nil) {
			w.judgeLoss(before)
		}
	case *snapshotv1.VolumeSnapshot:
		w.seeSnapshot(c, o, now)
	case *snapshotv1.VolumeSnapshotContent:
		if o.Status != nil && o.Status.SnapshotHandle != nil && *o.Status.SnapshotHandle != "" {
			of := o.Spec.VolumeSnapshotRef.UID
			w.handles[of] = append(w.handles[of], *o.Status.SnapshotHandle)
			w.noteReady(of, now)
		}
	}
}

// seePod follows the pods that stop.
func (w *witness) seePod(c fakes.Change, pod *corev1.Pod, now time.Time) {
	if before, _ := c.Before.(*corev1.Pod); before != nil {
		w.judgeVerdict(before, pod, now)
		w.judgeWrite(before, pod)
	}
	if pod.DeletionTimestamp == nil || pod.Labels[monitor.LabelWorkspace] != "true" {
		return
	}
	p := w.storyOf(pod)
	p.pod = pod
	if p.stopped.IsZero() && !containersRun(pod) {
		p.stopped = now
	}
	if _, found := monitor.Recorded(pod); found && p.recorded.IsZero() {
		p.recorded = now
	}
	if held := slices.Contains(pod.Finalizers, monitor.Finalizer); !p.released && (!held || c.Type == watch.Deleted) {
		p.released = true
		w.judgeRelease(pod)
	}
}

func (w *witness) storyOf(pod *corev1.Pod) *podStory {
	at := slices.IndexFunc(w.pods, func(p *podStory) bool { return p.pod.UID == pod.UID })
	if at < 0 {
		at = len(w.pods)
		w.pods = append(w.pods, &podStory{})
	}
	return w.pods[at]
}

func containersRun(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool { return s.State.Running != nil })
}

// seeSnapshot follows the snapshots.
func (w *witness) seeSnapshot(c fakes.Change, snapshot *snapshotv1.VolumeSnapshot, now time.Time) {
	if c.Type == watch.Added {
		pod := types.UID(snapshot.Labels[monitor.LabelPodUID])
		if earlier := w.made[pod]; pod != "" && len(earlier) > 0 && earlier[len(earlier)-1].gone.IsZero() {
			w.broke(restartSafe, "%s is a second snapshot for the pod with UID %s", c.Key, pod)
		}
		s := &snapshotStory{snapshot: snapshot} // it may be one that leaves
		w.snapshots, w.stories[snapshot.UID], w.made[pod] = append(w.snapshots, s), s, append(w.made[pod], s)
	}
	s := w.stories[snapshot.UID]
	s.snapshot = snapshot
	if s.gone.IsZero() && (c.Type == watch.Deleted || snapshot.DeletionTimestamp != nil) {
		s.gone = now
	}
	w.noteReady(snapshot.UID, now)
}

// noteReady finds out whether a snapshot has got ready: it needs the content, too.
func (w *witness) noteReady(uid types.UID, now time.Time) {
	s := w.stories[uid]
	if s == nil || !s.ready.IsZero() || len(w.handles[uid]) == 0 {
		return
	}
	if status := s.snapshot.Status; status != nil && status.ReadyToUse != nil && *status.ReadyToUse {
		s.ready = now
	}
}
