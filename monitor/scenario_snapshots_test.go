package monitor_test

import (
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/snapstorm/snapstorm/monitor"
)

// state is how far a snapshot has come, and what is the matter with it.
type state struct{ bound, content, handle, ready, failed, deleted, foreign, given bool }

// states are those that snapshots are drawn in.
var states = map[string]state{
	"new":                 {},
	"bound":               {bound: true, content: true},
	"failed":              {bound: true, content: true, failed: true},
	"without handle":      {bound: true, content: true, ready: true},
	"without content":     {bound: true, ready: true},
	"ready":               {bound: true, content: true, handle: true, ready: true},
	"ready with an error": {bound: true, content: true, handle: true, ready: true, failed: true},
	"being deleted":       {bound: true, content: true, handle: true, ready: true, deleted: true},
	"somebody else's":     {bound: true, content: true, handle: true, ready: true, foreign: true},
	"of a given content":  {bound: true, content: true, handle: true, ready: true, given: true},
}

// backup is a snapshot of a workspace that is gone.
type backup struct {
	State    string
	Namesake bool // it has the name that the pod of a workspace of today has, or may have
}

var backups = rapid.Custom(func(t *rapid.T) backup {
	return backup{
		State: rapid.SampledFrom([]string{
			"ready", "new", "bound", "failed", "without handle", "without content", "ready with an error", "being deleted", "of a given content",
		}).Draw(t, "state"),
		Namesake: rapid.Bool().Draw(t, "namesake"),
	}
})

func (p place) backup(b backup, class string) []runtime.Object {
	of := backedUp{p.namespace(), "backup-" + string(p.uid("old")), p.uid("old"), p.name("old"), 100 * time.Hour}
	if b.Namesake {
		of.name, of.claim = p.name("ws"), p.name("ws")
	}
	return of.objects(b.State, class)
}

// backedUp is what a snapshot is of.
type backedUp struct {
	namespace, name string // the snapshot's
	pod             types.UID
	claim           string
	ago             time.Duration // since it was made
}

func (b backedUp) objects(named, class string) []runtime.Object {
	s := states[named]
	snapshot := b.snapshot(s, class)
	if s.content {
		return []runtime.Object{snapshot, b.content(s, snapshot)}
	}
	return []runtime.Object{snapshot}
}

func (b backedUp) snapshot(s state, class string) *snapshotv1.VolumeSnapshot {
	made := before(b.ago)
	o := &snapshotv1.VolumeSnapshot{ObjectMeta: metav1.ObjectMeta{
		Namespace: b.namespace, Name: b.name, UID: types.UID("of-" + b.name + "-" + b.namespace), CreationTimestamp: made,
		Labels:      map[string]string{monitor.LabelPodUID: string(b.pod)},
		Annotations: map[string]string{monitor.AnnotationClaimUID: claimUID(b.pod)},
	}}
	o.Spec.Source.PersistentVolumeClaimName = &b.claim
	if class != "" {
		o.Spec.VolumeSnapshotClassName = &class
	}
	if s.bound {
		o.Finalizers = []string{
			"snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection", "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection",
		}
		o.Spec.VolumeSnapshotClassName = new("workspace-backup") // the controller sets it before it does more
		o.Status = &snapshotv1.VolumeSnapshotStatus{BoundVolumeSnapshotContentName: new("content-" + string(o.UID)), ReadyToUse: &s.ready}
	}
	if s.ready {
		o.Status.CreationTime = &made
	}
	if s.failed {
		o.Status.Error = &snapshotv1.VolumeSnapshotError{Time: &made, Message: new("deadline exceeded")}
	}
	if s.deleted {
		o.DeletionTimestamp = new(before(0))
	}
	if s.foreign {
		o.Labels = nil
	}
	if s.given {
		o.Spec.Source = snapshotv1.VolumeSnapshotSource{VolumeSnapshotContentName: o.Status.BoundVolumeSnapshotContentName}
	}
	return o
}

// handleOf is the handle of the snapshot of that name.
func handleOf(snapshot string) string { return "handle-" + snapshot }

func (b backedUp) content(s state, snapshot *snapshotv1.VolumeSnapshot) *snapshotv1.VolumeSnapshotContent {
	o := &snapshotv1.VolumeSnapshotContent{
		ObjectMeta: metav1.ObjectMeta{
			Name: *snapshot.Status.BoundVolumeSnapshotContentName, UID: "content-" + snapshot.UID, CreationTimestamp: snapshot.CreationTimestamp,
			Finalizers: []string{"snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection"},
		},
		Spec: snapshotv1.VolumeSnapshotContentSpec{
			VolumeSnapshotRef: corev1.ObjectReference{
				APIVersion: snapshotv1.SchemeGroupVersion.String(), Kind: "VolumeSnapshot",
				Namespace: snapshot.Namespace, Name: snapshot.Name, UID: snapshot.UID,
			},
			DeletionPolicy: snapshotv1.VolumeSnapshotContentDelete, Driver: "csi.example.com",
			VolumeSnapshotClassName: snapshot.Spec.VolumeSnapshotClassName,
			Source:                  snapshotv1.VolumeSnapshotContentSource{VolumeHandle: new("volume-" + string(b.pod))},
		},
	}
	if s.given {
		o.Spec.Source = snapshotv1.VolumeSnapshotContentSource{SnapshotHandle: new(handleOf(b.name))}
	}
	if s.handle {
		o.Status = &snapshotv1.VolumeSnapshotContentStatus{SnapshotHandle: new(handleOf(b.name)), ReadyToUse: new(true)}
	}
	return o
}
