package monitor

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	snapshotfake "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/fake"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/util/workqueue"
)

// stage is a state of the cluster that an earlier run may have left behind.
type stage struct {
	pod      *corev1.Pod
	claim    *corev1.PersistentVolumeClaim
	snapshot *snapshotv1.VolumeSnapshot
	content  *snapshotv1.VolumeSnapshotContent

	unreadable string // the resource that cannot be read
	refused    int    // how many updates of the pod fail
}

var errUnreadable = errors.New("the storage is away")

// newStage is the latest one: recorded, and the claim still there.
func newStage() *stage {
	s := &stage{
		pod: &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "ns", Name: "ws", UID: "p1",
				Labels:            map[string]string{LabelWorkspace: "true"},
				Finalizers:        []string{"other/finalizer", Finalizer},
				DeletionTimestamp: new(metav1.Now()),
			},
			Spec: corev1.PodSpec{Volumes: []corev1.Volume{{VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "ws"},
			}}}},
		},
		claim:    &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "ws", UID: "c1"}},
		snapshot: readySnapshot(),
		content:  readyContent(),
	}
	saved.writeOn(s.pod)
	return s
}

var (
	saved   = Verdict{Snapshot: "backup-p1", Handle: "h1", ClaimUID: "c1"}
	earlier = Verdict{Snapshot: "backup-p1", ClaimUID: "c1", Failure: "earlier"}
)

func (s *stage) unrecorded() { s.pod.Annotations = nil }
func (s *stage) expired() {
	s.pod.DeletionTimestamp = new(metav1.NewTime(time.Now().Add(-2 * time.Hour)))
}
func (s *stage) gone()            { s.snapshot = nil }
func (s *stage) unready()         { *s.snapshot.Status.ReadyToUse = false }
func (s *stage) handleless()      { s.content.Status = nil }
func (s *stage) contentless()     { s.content = nil }
func (s *stage) hideContent()     { s.unreadable = "volumesnapshotcontents" }
func (s *stage) hideSnapshot()    { s.unreadable = "volumesnapshots" }
func (s *stage) hideClaim()       { s.unreadable = "persistentvolumeclaims" }
func (s *stage) refusedOnce()     { s.refused = 1 }
func (s *stage) otherHandle()     { *s.content.Status.SnapshotHandle = "h2" }
func (s *stage) otherClaim()      { s.claim.UID = "c2" }
func (s *stage) claimless()       { s.claim = nil }
func (s *stage) foreign()         { s.snapshot.Labels = nil }
func (s *stage) otherLife()       { s.pod.UID = "p2" }
func (s *stage) failedEarlier()   { s.unrecorded(); earlier.writeOn(s.pod) }
func (s *stage) notOptedIn()      { s.pod.Labels = nil }
func (s *stage) notBeingDeleted() { s.pod.DeletionTimestamp = nil }

func (s *stage) running() {
	s.pod.Status.ContainerStatuses = []corev1.ContainerStatus{{
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
	}}
}

// outcome is what finalize made of a stage.
type outcome struct {
	verdict           Verdict
	kept              string
	released, deleted bool
	err               error
}

func all(changes ...func(*stage)) []func(*stage) { return changes }

func failed(why string) Verdict { return Verdict{Snapshot: "backup-p1", Failure: why} }

var carriesOn = []struct {
	name    string
	changes []func(*stage)
	want    outcome
}{
	{"recorded", all(), outcome{verdict: saved, released: true, deleted: true}},
	{"ready, not recorded", all((*stage).unrecorded), outcome{verdict: saved, released: true, deleted: true}},
	{"no snapshot yet", all((*stage).unrecorded, (*stage).gone), outcome{verdict: saved, released: true, deleted: true}},
	{"claim deleted, not released", all((*stage).claimless), outcome{verdict: saved, released: true}},
	{"claim deleted, then the snapshot too", all((*stage).claimless, (*stage).gone), outcome{verdict: saved, released: true}},
	{"claim replaced", all((*stage).otherClaim), outcome{verdict: saved, released: true}},
	{"nothing to back up", all((*stage).unrecorded, (*stage).gone, (*stage).claimless),
		outcome{verdict: failed("claim ws was gone before it was backed up"), released: true}},
	{"recorded, snapshot gone since", all((*stage).gone),
		outcome{verdict: saved, kept: "there is no snapshot backup-p1", released: true}},
	{"recorded, snapshot gone since, nobody can be told", all((*stage).gone, (*stage).refusedOnce), outcome{verdict: saved, err: errUnreadable}},
	{"recorded, handle changed since", all((*stage).otherHandle),
		outcome{verdict: saved, kept: "the snapshot is not the recorded one", released: true}},
	{"no handle yet", all((*stage).unrecorded, (*stage).handleless), outcome{err: errNoHandle}},
	{"no handle at the deadline", all((*stage).unrecorded, (*stage).handleless, (*stage).expired),
		outcome{verdict: failed(errNoHandle.Error()), released: true}},
	{"no content at the deadline", all((*stage).unrecorded, (*stage).contentless, (*stage).expired),
		outcome{verdict: failed(errNoHandle.Error()), released: true}},
	{"content unreadable at the deadline", all((*stage).unrecorded, (*stage).hideContent, (*stage).expired), outcome{err: errUnreadable}},
	{"recorded, snapshot unreadable", all((*stage).hideSnapshot), outcome{verdict: saved, err: errUnreadable}},
	{"recorded, claim unreadable", all((*stage).hideClaim), outcome{verdict: saved, err: errUnreadable}},
	{"no snapshot yet, claim unreadable", all((*stage).unrecorded, (*stage).gone, (*stage).hideClaim), outcome{err: errUnreadable}},
	{"not ready at the deadline", all((*stage).unrecorded, (*stage).unready, (*stage).expired),
		outcome{verdict: failed(errNotReady.Error()), released: true}},
	{"ready at the deadline", all((*stage).unrecorded, (*stage).expired), outcome{verdict: saved, released: true, deleted: true}},
	{"no snapshot at the deadline", all((*stage).unrecorded, (*stage).gone, (*stage).expired),
		outcome{verdict: failed("there is no snapshot backup-p1"), released: true}},
	{"somebody else's snapshot", all((*stage).unrecorded, (*stage).foreign),
		outcome{verdict: failed("the name backup-p1 is taken by a snapshot that was not made for this pod"), released: true}},
	{"failed earlier, ready now", all((*stage).failedEarlier), outcome{verdict: earlier, released: true}},
	{"another life of the pod", all((*stage).unrecorded, (*stage).otherLife), outcome{}},
	{"containers still run", all((*stage).unrecorded, (*stage).running), outcome{}},
	{"containers never stop", all((*stage).unrecorded, (*stage).gone, (*stage).running, (*stage).expired),
		outcome{verdict: failed("there is no snapshot backup-p1"), released: true}},
	{"not opted in", all((*stage).unrecorded, (*stage).notOptedIn), outcome{}},
	{"not being deleted", all((*stage).unrecorded, (*stage).notBeingDeleted), outcome{}},
}

func TestFinalizeCarriesOn(t *testing.T) {
	for _, c := range carriesOn {
		s := newStage()
		for _, change := range c.changes {
			change(s)
		}
		got := finalized(t, s)
		if !errors.Is(got.err, c.want.err) {
			t.Errorf("%s: got error %v, want %v", c.name, got.err, c.want.err)
		}
		got.err, c.want.err = nil, nil
		if got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

// A pod may go with our finalizer, so what the last write says is seen by nobody: the note comes before.
func TestWhyAClaimWasKeptIsSeen(t *testing.T) {
	s := newStage()
	s.gone()
	core, snapshots := clientsWith(s)
	m := monitorOn(core, snapshots)
	defer m.queue.ShutDown()
	if err := m.finalize(t.Context(), keyOf(s.pod)); err != nil {
		t.Fatal(err)
	}
	for _, action := range core.Actions() {
		if update, ok := action.(clienttesting.UpdateAction); ok {
			pod := update.GetObject().(*corev1.Pod)
			if pod.Annotations[AnnotationVolumeKept] == "" || !slices.Contains(pod.Finalizers, Finalizer) {
				t.Errorf("the first write has annotations %v and finalizers %v", pod.Annotations, pod.Finalizers)
			}
			return
		}
	}
	t.Error("nothing was written on the pod")
}

// A verdict that was written while another finalization still worked stands.
func TestRecordKeepsTheFirstVerdict(t *testing.T) {
	s := newStage()
	s.failedEarlier()
	m := monitorOn(clientsWith(s))
	defer m.queue.ShutDown()
	got, err := m.record(t.Context(), keyOf(s.pod), saved)
	if err != nil || got != earlier {
		t.Errorf("record: got %+v, %v, want %+v", got, err, earlier)
	}
	pod, err := m.livePod(t.Context(), keyOf(s.pod))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := Recorded(pod); got != earlier {
		t.Errorf("on the pod: got %+v, want %+v", got, earlier)
	}
}

// finalized runs finalize for the pod with UID p1 on clients that hold s, where
// a new snapshot is ready at once and the first update of a pod is a conflict.
func finalized(t *testing.T, s *stage) outcome {
	t.Helper()
	core, snapshots := clientsWith(s)
	updates := 0
	core.PrependReactor("update", "pods", func(clienttesting.Action) (bool, runtime.Object, error) {
		if updates++; updates == 1 {
			return true, nil, apierrors.NewConflict(corev1.Resource("pods"), "ws", errors.New("written in between"))
		}
		return updates <= 1+s.refused, nil, errUnreadable
	})
	m := monitorOn(core, snapshots)
	defer m.queue.ShutDown()
	key := keyOf(newStage().pod)
	err := m.finalize(t.Context(), key)
	checkEmpty(t, m.handover)
	checkPreconditions(t, s, core.Actions())
	return outcomeOf(t, s, core, err)
}

// checkPreconditions checks that no other incarnation of the claim could have been deleted.
func checkPreconditions(t *testing.T, s *stage, actions []clienttesting.Action) {
	t.Helper()
	for _, a := range actions {
		deletion, ok := a.(clienttesting.DeleteActionImpl)
		if !ok {
			continue
		}
		if p := deletion.DeleteOptions.Preconditions; p == nil || p.UID == nil || *p.UID != s.claim.UID {
			t.Errorf("claim deleted with preconditions %v, want UID %s", p, s.claim.UID)
		}
	}
}

func monitorOn(core *fake.Clientset, snapshots *snapshotfake.Clientset) *Monitor {
	return &Monitor{
		config: Config{
			PodClient: bounded{core.CoreV1()}, ClaimClient: core.CoreV1(), Deadline: time.Hour,
			SnapshotClient: snapshots.SnapshotV1(), ContentClient: snapshots.SnapshotV1(),
		},
		log: slog.New(slog.DiscardHandler), handover: newHandover(),
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[podKey]()),
	}
}

func clientsWith(s *stage) (*fake.Clientset, *snapshotfake.Clientset) {
	core := fake.NewSimpleClientset(s.pod)
	if s.claim != nil {
		core.Tracker().Add(s.claim)
	}
	snapshots := snapshotfake.NewSimpleClientset()
	if s.content != nil {
		snapshots.Tracker().Add(s.content)
	}
	if s.snapshot != nil {
		snapshots.Tracker().Add(s.snapshot)
	}
	snapshots.PrependReactor("create", "volumesnapshots", func(action clienttesting.Action) (bool, runtime.Object, error) {
		created := action.(clienttesting.CreateAction).GetObject().(*snapshotv1.VolumeSnapshot)
		created.UID, created.Status = "s1", readySnapshot().Status
		return true, created, snapshots.Tracker().Add(created)
	})
	if s.unreadable != "" {
		refuse := func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, errUnreadable }
		core.PrependReactor("get", s.unreadable, refuse)
		snapshots.PrependReactor("get", s.unreadable, refuse)
	}
	return core, snapshots
}

func outcomeOf(t *testing.T, s *stage, core *fake.Clientset, err error) outcome {
	t.Helper()
	pod, getErr := core.CoreV1().Pods("ns").Get(t.Context(), "ws", metav1.GetOptions{})
	if getErr != nil {
		t.Fatal(getErr)
	}
	verdict, _ := Recorded(pod)
	got := outcome{verdict: verdict, kept: pod.Annotations[AnnotationVolumeKept], err: err}
	got.released = strings.Join(pod.Finalizers, " ") == "other/finalizer"
	_, getErr = core.Tracker().Get(corev1.SchemeGroupVersion.WithResource("persistentvolumeclaims"), "ns", "ws")
	got.deleted = s.claim != nil && apierrors.IsNotFound(getErr)
	return got
}
