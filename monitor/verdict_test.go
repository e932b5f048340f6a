package monitor

import (
	"errors"
	"testing"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// readySnapshot is a good backup of the pod with UID p1.
func readySnapshot(changes ...func(*snapshotv1.VolumeSnapshot)) *snapshotv1.VolumeSnapshot {
	s := &snapshotv1.VolumeSnapshot{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: "backup-p1", UID: "s1",
			Labels:      map[string]string{LabelPodUID: "p1"},
			Annotations: map[string]string{AnnotationClaimUID: "c1"},
		},
		Status: &snapshotv1.VolumeSnapshotStatus{
			ReadyToUse:                     new(true),
			BoundVolumeSnapshotContentName: new("snapcontent-s1"),
		},
	}
	for _, change := range changes {
		change(s)
	}
	return s
}

func TestJudge(t *testing.T) {
	type snapshot = snapshotv1.VolumeSnapshot
	lasting := &snapshotv1.VolumeSnapshotError{Message: new("boom")}
	for _, c := range []struct {
		name   string
		change func(*snapshot)
		want   string
	}{
		{"ready", func(*snapshot) {}, "ready"},
		{"ready with a lasting error", func(s *snapshot) { s.Status.Error = lasting }, "ready"},
		{"no status", func(s *snapshot) { s.Status = nil }, "not ready"},
		{"ready unknown", func(s *snapshot) { s.Status.ReadyToUse = nil }, "not ready"},
		{"ready false", func(s *snapshot) { *s.Status.ReadyToUse = false }, "not ready"},
		{"ready but unbound", func(s *snapshot) { s.Status.BoundVolumeSnapshotContentName = nil }, "not ready"},
		{"error while not ready", func(s *snapshot) { s.Status.ReadyToUse, s.Status.Error = nil, lasting }, "not ready"},
		{"being deleted", func(s *snapshot) { s.DeletionTimestamp = &metav1.Time{} }, "refused"},
		{"replaced", func(s *snapshot) { s.UID = "s2" }, "refused"},
		{"of another pod", func(s *snapshot) { s.Labels[LabelPodUID] = "p0" }, "refused"},
		{"of nobody", func(s *snapshot) { s.Labels = nil }, "refused"},
	} {
		got := inWords(judge(readySnapshot(c.change), "p1", "s1"))
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func inWords(err error) string {
	switch {
	case err == nil:
		return "ready"
	case isRefusal(err):
		return "refused"
	case errors.Is(err, errNotReady):
		return "not ready"
	}
	return err.Error()
}

func TestHandleOf(t *testing.T) {
	type content = snapshotv1.VolumeSnapshotContent
	for _, c := range []struct {
		name   string
		change func(*content)
		want   string
	}{
		{"with a handle", func(*content) {}, "h1"},
		{"no status", func(c *content) { c.Status = nil }, ""},
		{"no handle", func(c *content) { c.Status.SnapshotHandle = nil }, ""},
		{"empty handle", func(c *content) { *c.Status.SnapshotHandle = "" }, ""},
		{"of an earlier snapshot", func(c *content) { c.Spec.VolumeSnapshotRef.UID = "s0" }, ""},
		{"being deleted", func(c *content) { c.DeletionTimestamp = &metav1.Time{} }, ""},
	} {
		of := readyContent()
		c.change(of)
		got, err := handleOf(of, readySnapshot())
		if got != c.want || (err != nil) != (c.want == "") || (err != nil && !errors.Is(err, errNoHandle)) {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func readyContent() *snapshotv1.VolumeSnapshotContent {
	return &snapshotv1.VolumeSnapshotContent{
		ObjectMeta: metav1.ObjectMeta{Name: "snapcontent-s1"},
		Spec:       snapshotv1.VolumeSnapshotContentSpec{VolumeSnapshotRef: corev1.ObjectReference{UID: "s1"}},
		Status:     &snapshotv1.VolumeSnapshotContentStatus{SnapshotHandle: new("h1")},
	}
}

func TestVerdictSurvivesThePod(t *testing.T) {
	for _, want := range []Verdict{
		{Snapshot: "backup-p1", Handle: "h1", ClaimUID: "c1"},
		{Snapshot: "backup-p1", Failure: "the snapshot is not ready"},
	} {
		pod := &corev1.Pod{}
		if got, found := Recorded(pod); found {
			t.Errorf("before it was written: got %+v, want none", got)
		}
		want.writeOn(pod)
		if got, found := Recorded(pod); !found || got != want {
			t.Errorf("after it was written: got %+v, %v, want %+v", got, found, want)
		}
	}
}
