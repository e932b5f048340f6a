package monitor_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/snapstorm/snapstorm/monitor"
)

// workspace is a pod with its claim and its snapshot.
type workspace struct {
	Stage    string
	Ago      int    // minutes since it was deleted
	Snapshot string // one of states, or "none"
	Claim    string
}

// stages are those of a workspace, and what its snapshot may be in each.
var stages = []struct {
	name      string
	snapshots []string
}{
	{"running", []string{"none"}},
	{"stopping", []string{"none"}},
	{"stopped", []string{"none", "new", "bound", "failed", "without handle", "without content", "ready", "ready with an error", "being deleted", "somebody else's"}},
	{"saved", []string{"ready", "ready with an error", "being deleted", "none"}},
	{"given up", []string{"none", "new", "bound", "failed", "without handle", "without content", "ready", "being deleted", "somebody else's"}},
}

var workspaces = rapid.Custom(func(t *rapid.T) workspace {
	stage := rapid.SampledFrom(stages).Draw(t, "stage")
	w := workspace{Stage: stage.name, Snapshot: rapid.SampledFrom(stage.snapshots).Draw(t, "snapshot")}
	if w.Stage != "running" {
		w.Ago = rapid.IntRange(0, 6).Draw(t, "minutes since its deletion")
	}
	claims := []string{"bound", "being deleted", "gone", "another one"}
	if w.Snapshot == "none" && w.Stage != "saved" {
		claims = append(claims, "never had one")
	}
	w.Claim = rapid.SampledFrom(claims).Draw(t, "claim")
	return w
})

// epoch is when worlds begin.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func before(d time.Duration) metav1.Time { return metav1.NewTime(epoch.Add(-d)) }

// objects are what the cluster holds at first. Two workspaces each have one name, in two namespaces.
func (d drawing) objects() []runtime.Object {
	var all []runtime.Object
	for i, w := range d.Workspaces {
		all = append(all, place{i}.workspace(w, d.Class)...)
	}
	for i, b := range d.Backups {
		all = append(all, place{i}.backup(b, d.Class)...)
	}
	return all
}

// place is where the objects of a workspace, or of a backup, are.
type place struct{ n int }

func (p place) namespace() string { return []string{"left", "right"}[p.n%2] }

func (p place) name(kind string) string { return fmt.Sprintf("%s-%d", kind, p.n/2) }

func (p place) uid(kind string) types.UID {
	return types.UID(fmt.Sprintf("%s-%s", p.name(kind), p.namespace()))
}

func (p place) workspace(w workspace, class string) []runtime.Object {
	deleted := time.Duration(w.Ago) * time.Minute
	pod, claim := p.pod(w, deleted), p.claim(w)
	all := []runtime.Object{pod}
	if w.Claim != "gone" && w.Claim != "never had one" {
		all = append(all, claim)
	}
	if w.Snapshot != "none" {
		all = append(all, backedUp{pod.Namespace, monitor.SnapshotName(pod), pod.UID, pod.Name, deleted}.objects(w.Snapshot, class)...)
	}
	return all
}

func (p place) pod(w workspace, deleted time.Duration) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: p.namespace(), Name: p.name("ws"), UID: p.uid("ws"), CreationTimestamp: before(4 * time.Hour),
			Labels: map[string]string{monitor.LabelWorkspace: "true"}, Finalizers: []string{monitor.Finalizer},
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "workspace", Image: "registry.example.com/workspace"}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{
			Name: "workspace", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: before(4 * time.Hour)}},
		}}},
	}
	if w.Claim != "never had one" {
		pod.Spec.Volumes = []corev1.Volume{{Name: "workspace", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: pod.Name},
		}}}
	}
	if w.Stage != "running" {
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = new(before(deleted)), new(int64(30))
	}
	if w.Stage != "running" && w.Stage != "stopping" {
		pod.DeletionGracePeriodSeconds = new(int64(0))
		pod.Status.Phase = corev1.PodSucceeded
		pod.Status.ContainerStatuses[0].Ready = false
		pod.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{FinishedAt: before(deleted)}}
	}
	p.record(pod, w.Stage)
	return pod
}

// record writes the verdict of a stage.
func (p place) record(pod *corev1.Pod, stage string) {
	switch name := monitor.SnapshotName(pod); stage {
	case "saved":
		pod.Annotations = map[string]string{
			monitor.AnnotationSnapshot: name, monitor.AnnotationHandle: handleOf(name), monitor.AnnotationClaimUID: claimUID(pod.UID),
		}
	case "given up":
		pod.Annotations = map[string]string{monitor.AnnotationSnapshot: name, monitor.AnnotationFailure: "the snapshot is not ready"}
	}
}

// claimUID is that of the claim which a pod began with.
func claimUID(pod types.UID) string { return "claim-" + string(pod) }

func (p place) claim(w workspace) *corev1.PersistentVolumeClaim {
	claim := &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: p.namespace(), Name: p.name("ws"), UID: types.UID(claimUID(p.uid("ws"))), CreationTimestamp: before(5 * time.Hour),
			Finalizers: []string{"kubernetes.io/pvc-protection"},
		},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("20Gi")}},
			VolumeName:  "volume-" + string(p.uid("ws")),
		},
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound},
	}
	switch w.Claim {
	case "another one":
		claim.UID, claim.CreationTimestamp = "another-"+claim.UID, before(0)
	case "being deleted":
		claim.DeletionTimestamp = new(before(0))
	}
	return claim
}
