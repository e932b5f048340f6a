package fakes

import (
	"strings"
	"testing"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
)

// What is written here was seen in a real server; see fakes/conformance.

func TestNamesAreQualified(t *testing.T) {
	for _, name := range []string{
		"", "a", "A", "-a", "a-", "a_b.c-d", "a b", "ä", "example.com/a", "Example.com/a", "/a", "a/", "a/b/c", ".com/a",
		strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 254) + "/a",
	} {
		require.Equal(t, len(validation.IsQualifiedName(name)) == 0, qualified(name), name)
		require.Equal(t, len(validation.IsValidLabelValue(name)) == 0, name == "" || plainName(name), name)
	}
}

func TestMetadataIsChecked(t *testing.T) {
	_, api, a := podsOf(t)
	yes := true
	for _, wrong := range []func(*corev1.Pod){
		func(p *corev1.Pod) { p.Labels = map[string]string{"not qualified!": "x"} },
		func(p *corev1.Pod) { p.Labels = map[string]string{"x": "no value!"} },
		func(p *corev1.Pod) { p.Annotations = map[string]string{"not qualified!": "x"} },
		func(p *corev1.Pod) { p.Annotations = map[string]string{"x": strings.Repeat("x", annotationBytes)} },
		func(p *corev1.Pod) { p.Finalizers = []string{"not qualified!"} },
		func(p *corev1.Pod) {
			p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "o"}}
		},
		func(p *corev1.Pod) {
			owner := metav1.OwnerReference{APIVersion: "v1", Kind: "Pod", Name: "o", UID: "o", Controller: &yes}
			p.OwnerReferences = []metav1.OwnerReference{owner, owner}
		},
		func(p *corev1.Pod) { p.DeletionTimestamp = new(now()) },
		func(p *corev1.Pod) { p.DeletionGracePeriodSeconds = new(int64(7)) },
	} {
		changed := a.DeepCopy()
		wrong(changed)
		_, err := api.Update(ctx, changed, metav1.UpdateOptions{})
		require.Equal(t, metav1.StatusReasonInvalid, reason(err), changed)
	}
	_, err := api.Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"uid":"other"}}`), metav1.PatchOptions{})
	require.Equal(t, metav1.StatusReasonInvalid, reason(err), "a UID in a patch is no precondition")
	a.GenerateName = "new-"
	a, err = api.Update(ctx, a, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.Equal(t, "new-", a.GenerateName)
}

func TestGenerationBeginsAtOne(t *testing.T) {
	born := snapshot("s")
	born.Generation = 9
	s, err := NewCluster(Options{}).Clients().Snapshots.SnapshotV1().VolumeSnapshots("default").Create(ctx, born, metav1.CreateOptions{})
	require.NoError(t, err)
	require.Equal(t, int64(1), s.Generation)
}

// The write that takes the last finalizer is answered, but nobody else sees
// its state: the deletion shows the one before.
func TestDeletionShowsTheStateBeforeTheLastWrite(t *testing.T) {
	c := NewCluster(Options{})
	api := c.Clients().Snapshots.SnapshotV1().VolumeSnapshots("default")
	born := snapshot("s")
	born.Finalizers = []string{"example.com/f"}
	_, err := api.Create(ctx, born, metav1.CreateOptions{})
	require.NoError(t, err)
	require.NoError(t, api.Delete(ctx, "s", metav1.DeleteOptions{}))
	freed, err := api.Patch(ctx, "s", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	require.Empty(t, freed.Finalizers)
	require.Equal(t, "2", freed.ResourceVersion)
	changes := c.Changes()
	last := changes[len(changes)-1].Object.(*snapshotv1.VolumeSnapshot)
	require.Equal(t, born.Finalizers, last.Finalizers)
	require.Equal(t, "3", last.ResourceVersion)
}

func TestPatchIsReadBeforeItsObject(t *testing.T) {
	api := NewCluster(Options{}).Clients().Snapshots.SnapshotV1().VolumeSnapshots("default")
	check := func(how types.PatchType, body string, want metav1.StatusReason) {
		t.Helper()
		_, err := api.Patch(ctx, "none", how, []byte(body), metav1.PatchOptions{})
		require.Equal(t, want, reason(err))
	}
	check(types.StrategicMergePatchType, `{}`, metav1.StatusReasonUnsupportedMediaType)
	check(types.MergePatchType, `no JSON`, metav1.StatusReasonBadRequest)
	check(types.MergePatchType, `7`, metav1.StatusReasonNotFound)
	_, err := api.Create(ctx, snapshot("none"), metav1.CreateOptions{})
	require.NoError(t, err)
	check(types.MergePatchType, `7`, metav1.StatusReasonBadRequest)
}

// A page that is full has a next one while there is any object behind it, for
// the server does not look whether that is selected.
func TestPagesDoNotLookAhead(t *testing.T) {
	c := NewCluster(Options{})
	require.NoError(t, c.Add(snapshot("a"), snapshot("b")))
	list := func(namespace string) *snapshotv1.VolumeSnapshotList {
		l, err := c.Clients().Snapshots.SnapshotV1().VolumeSnapshots(namespace).List(ctx, metav1.ListOptions{Limit: 1, FieldSelector: "metadata.name=a"})
		require.NoError(t, err)
		return l
	}
	require.NotEmpty(t, list("").Continue)
	require.Empty(t, list("default").Continue, "one object by its name")
	require.Equal(t, "VolumeSnapshot", list("").Items[0].Kind, "custom resources name their kind in a list")
}
