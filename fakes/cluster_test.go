package fakes

import (
	"context"
	"errors"
	"strings"
	"testing"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
)

var ctx = context.Background()

func pod(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

func snapshot(name string) *snapshotv1.VolumeSnapshot {
	return &snapshotv1.VolumeSnapshot{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

// podsOf returns a client for pods over a new cluster with one pod, "a".
func podsOf(t *testing.T) (*Cluster, corev1client.PodInterface, *corev1.Pod) {
	c := NewCluster(Options{})
	api := c.Clients().Kubernetes.CoreV1().Pods("default")
	a, err := api.Create(ctx, pod("a"), metav1.CreateOptions{})
	require.NoError(t, err)
	return c, api, a
}

func reason(err error) metav1.StatusReason { return apierrors.ReasonForError(err) }

func TestCreateGivesWhatTheServerGives(t *testing.T) {
	_, api, a := podsOf(t)
	require.Equal(t, "1", a.ResourceVersion)
	require.Equal(t, types.UID("00000001-0000-4000-8000-000000000001"), a.UID)
	require.Equal(t, corev1.PodPending, a.Status.Phase)
	require.False(t, a.CreationTimestamp.IsZero())

	generated, err := api.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "job-"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(generated.Name, "job-") && len(generated.Name) == len("job-")+5, generated.Name)
}

func TestErrorsAreTheServers(t *testing.T) {
	_, api, a := podsOf(t)
	stale := a.DeepCopy()
	labelled := a.DeepCopy()
	labelled.Labels = map[string]string{"x": "y"}
	_, err := api.Update(ctx, labelled, metav1.UpdateOptions{})
	require.NoError(t, err)
	other := a.DeepCopy()
	other.UID, other.ResourceVersion = "other", ""

	check := func(name string, err error, want metav1.StatusReason) {
		t.Helper()
		require.Equal(t, want, reason(err), "%s: %v", name, err)
	}
	_, err = api.Create(ctx, pod("a"), metav1.CreateOptions{})
	check("create twice", err, metav1.StatusReasonAlreadyExists)
	_, err = api.Create(ctx, pod("Not A Name"), metav1.CreateOptions{})
	check("bad name", err, metav1.StatusReasonInvalid)
	_, err = api.Create(ctx, &corev1.Pod{}, metav1.CreateOptions{})
	check("no name", err, metav1.StatusReasonInvalid)
	fresh := a.DeepCopy()
	fresh.Name = "b"
	_, err = api.Create(ctx, fresh, metav1.CreateOptions{})
	check("create with a revision", err, metav1.StatusReasonUnknown)
	_, err = api.Get(ctx, "b", metav1.GetOptions{})
	check("get", err, metav1.StatusReasonNotFound)
	_, err = api.Update(ctx, stale, metav1.UpdateOptions{})
	check("stale update", err, metav1.StatusReasonConflict)
	_, err = api.UpdateStatus(ctx, stale, metav1.UpdateOptions{})
	check("stale status", err, metav1.StatusReasonConflict)
	_, err = api.Update(ctx, other, metav1.UpdateOptions{})
	check("another incarnation", err, metav1.StatusReasonConflict)
	err = api.Delete(ctx, "a", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("other")})
	check("delete another incarnation", err, metav1.StatusReasonConflict)
	err = api.Delete(ctx, "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &stale.ResourceVersion}})
	check("delete a stale state", err, metav1.StatusReasonConflict)
	err = api.Delete(ctx, "a", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
	check("dry run", err, metav1.StatusReasonBadRequest)
}

func TestUpdateOfCustomResourceNeedsRevision(t *testing.T) {
	c := NewCluster(Options{})
	api := c.Clients().Snapshots.SnapshotV1().VolumeSnapshots("default")
	s, err := api.Create(ctx, snapshot("s"), metav1.CreateOptions{})
	require.NoError(t, err)
	s.ResourceVersion = ""
	_, err = api.Update(ctx, s, metav1.UpdateOptions{})
	require.Equal(t, metav1.StatusReasonInvalid, reason(err))
}

func TestStatusIsApart(t *testing.T) {
	c := NewCluster(Options{})
	api := c.Clients().Snapshots.SnapshotV1().VolumeSnapshots("default")
	born := snapshot("s")
	born.Status = &snapshotv1.VolumeSnapshotStatus{ReadyToUse: new(true)}
	s, err := api.Create(ctx, born, metav1.CreateOptions{})
	require.NoError(t, err)
	require.Nil(t, s.Status, "a create sets no status")

	s.Labels = map[string]string{"by": "status"}
	s.Status = &snapshotv1.VolumeSnapshotStatus{ReadyToUse: new(true)}
	s, err = api.UpdateStatus(ctx, s, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.True(t, *s.Status.ReadyToUse)
	require.Nil(t, s.Labels, "the status subresource changes the status only")

	s.Labels = map[string]string{"by": "update"}
	s.Spec.VolumeSnapshotClassName = new("fast")
	s.Status = nil
	s, err = api.Update(ctx, s, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.True(t, *s.Status.ReadyToUse, "an update leaves the status")
	require.Equal(t, "update", s.Labels["by"])
	require.Equal(t, int64(2), s.Generation, "a new spec is a new generation")
}

func TestUnchangedWriteMakesNoRevision(t *testing.T) {
	c, api, a := podsOf(t)
	again, err := api.Update(ctx, a, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.Equal(t, a.ResourceVersion, again.ResourceVersion)
	require.Len(t, c.Changes(), 1)
}

func TestFinalizersHoldADeletedObject(t *testing.T) {
	c := NewCluster(Options{})
	api := c.Clients().Snapshots.SnapshotV1().VolumeSnapshots("default")
	born := snapshot("s")
	born.Finalizers = []string{"example.com/first"}
	s, err := api.Create(ctx, born, metav1.CreateOptions{})
	require.NoError(t, err)
	require.NoError(t, api.Delete(ctx, "s", metav1.DeleteOptions{}))
	held, err := api.Get(ctx, "s", metav1.GetOptions{})
	require.NoError(t, err)
	require.NotNil(t, held.DeletionTimestamp)

	require.NoError(t, api.Delete(ctx, "s", metav1.DeleteOptions{}))
	require.Equal(t, held.ResourceVersion, c.VolumeSnapshot("default", "s").ResourceVersion, "a second delete changes nothing")

	held.Finalizers = append(held.Finalizers, "example.com/second")
	_, err = api.Update(ctx, held, metav1.UpdateOptions{})
	require.Equal(t, metav1.StatusReasonInvalid, reason(err))
	held.Finalizers = nil
	_, err = api.Update(ctx, held, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.Nil(t, c.VolumeSnapshot("default", "s"))

	changes := c.Changes()
	last := changes[len(changes)-1]
	require.Equal(t, changes[1:], c.ChangesAfter(changes[0].Revision))
	require.Empty(t, c.ChangesAfter(last.Revision))
	require.Equal(t, "DELETED", string(last.Type))
	require.Equal(t, s.UID, last.Object.(*snapshotv1.VolumeSnapshot).UID)
	require.Equal(t, "3", last.Object.(*snapshotv1.VolumeSnapshot).ResourceVersion)
}

// A pod on a node goes when its kubelet has confirmed and its finalizers are
// gone, whichever comes last.
func TestPodGoesAfterKubeletAndFinalizers(t *testing.T) {
	for _, finalizerFirst := range []bool{false, true} {
		c := NewCluster(Options{})
		api := c.Clients().Kubernetes.CoreV1().Pods("default")
		born := pod("a")
		born.Spec.NodeName = "node"
		born.Finalizers = []string{"example.com/backup"}
		_, err := api.Create(ctx, born, metav1.CreateOptions{})
		require.NoError(t, err)
		require.NoError(t, api.Delete(ctx, "a", metav1.DeleteOptions{}))
		require.Equal(t, int64(30), *c.Pod("default", "a").DeletionGracePeriodSeconds)
		confirm := func() { require.NoError(t, api.Delete(ctx, "a", *metav1.NewDeleteOptions(0))) }
		release := func() {
			_, err := api.Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
			require.NoError(t, err)
		}
		first, second := confirm, release
		if finalizerFirst {
			first, second = release, confirm
		}
		first()
		require.NotNil(t, c.Pod("default", "a"))
		second()
		require.Nil(t, c.Pod("default", "a"))
	}
}

func TestPatch(t *testing.T) {
	c, api, a := podsOf(t)
	check := func(how types.PatchType, body, want string) {
		t.Helper()
		got, err := api.Patch(ctx, "a", how, []byte(body), metav1.PatchOptions{})
		require.NoError(t, err)
		require.Equal(t, want, got.Labels["x"])
	}
	check(types.MergePatchType, `{"metadata":{"labels":{"x":"merge"}}}`, "merge")
	check(types.StrategicMergePatchType, `{"metadata":{"labels":{"x":"strategic"}}}`, "strategic")
	check(types.JSONPatchType, `[{"op":"replace","path":"/metadata/labels/x","value":"json"}]`, "json")

	_, err := api.Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"resourceVersion":"`+a.ResourceVersion+`"}}`), metav1.PatchOptions{})
	require.Equal(t, metav1.StatusReasonConflict, reason(err), "a revision in a patch is checked")
	_, err = api.Patch(ctx, "a", types.MergePatchType, []byte(`{"status":{"phase":"Running"}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	require.Equal(t, corev1.PodPending, c.Pod("default", "a").Status.Phase)
	_, err = api.Patch(ctx, "a", types.MergePatchType, []byte(`{"status":{"phase":"Running"}}`), metav1.PatchOptions{}, "status")
	require.NoError(t, err)
	require.Equal(t, corev1.PodRunning, c.Pod("default", "a").Status.Phase)

	_, err = api.Patch(ctx, "a", types.ApplyPatchType, []byte(`{}`), metav1.PatchOptions{})
	require.Equal(t, metav1.StatusReasonUnsupportedMediaType, reason(err))
	_, err = api.Patch(ctx, "a", types.JSONPatchType, []byte(`{}`), metav1.PatchOptions{})
	require.True(t, apierrors.IsBadRequest(err), err)
}

func TestListSelects(t *testing.T) {
	c := NewCluster(Options{})
	for _, at := range []string{"b/y", "a/z", "a/x"} {
		namespace, name, _ := strings.Cut(at, "/")
		p := pod(name)
		p.Namespace, p.Labels = namespace, map[string]string{"in": namespace}
		require.NoError(t, c.Add(p))
	}
	check := func(namespace string, opts metav1.ListOptions, want ...string) {
		t.Helper()
		list, err := c.Clients().Kubernetes.CoreV1().Pods(namespace).List(ctx, opts)
		require.NoError(t, err)
		var got []string
		for _, p := range list.Items {
			got = append(got, p.Namespace+"/"+p.Name)
		}
		require.Equal(t, want, got)
		require.Equal(t, "3", list.ResourceVersion)
	}
	check("", metav1.ListOptions{}, "a/x", "a/z", "b/y")
	check("a", metav1.ListOptions{}, "a/x", "a/z")
	check("", metav1.ListOptions{LabelSelector: "in=b"}, "b/y")
	check("", metav1.ListOptions{FieldSelector: "metadata.name=z"}, "a/z")
	_, err := c.Clients().Kubernetes.CoreV1().Pods("").List(ctx, metav1.ListOptions{FieldSelector: "spec.hostname=n"})
	require.True(t, apierrors.IsBadRequest(err))

	require.NoError(t, c.Clients().Kubernetes.CoreV1().Pods("a").DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	check2 := c.Pods()
	require.Len(t, check2, 1)
	require.Equal(t, "b", check2[0].Namespace)
}

func TestWhatClientsReturnIsACopy(t *testing.T) {
	c, api, a := podsOf(t)
	a.Labels = map[string]string{"changed": "yes"}
	got, err := api.Get(ctx, "a", metav1.GetOptions{})
	require.NoError(t, err)
	got.Labels = map[string]string{"changed": "yes"}
	list, err := api.List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	list.Items[0].Labels = map[string]string{"changed": "yes"}
	require.Nil(t, c.Pod("default", "a").Labels)
}

func TestEndedContextEndsCalls(t *testing.T) {
	c, api, _ := podsOf(t)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err := api.Create(ended, pod("b"), metav1.CreateOptions{})
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, c.Pod("default", "b"))
}

func TestOtherResourcesAreNotServed(t *testing.T) {
	clients := NewCluster(Options{}).Clients()
	_, err := clients.Kubernetes.CoreV1().Secrets("default").Get(ctx, "s", metav1.GetOptions{})
	require.True(t, apierrors.IsNotFound(err), err)
	_, err = clients.Kubernetes.AppsV1().Deployments("default").Watch(ctx, metav1.ListOptions{})
	require.True(t, apierrors.IsNotFound(err), err)
	_, err = clients.Snapshots.SnapshotV1().VolumeSnapshotClasses().List(ctx, metav1.ListOptions{})
	require.True(t, apierrors.IsNotFound(err), err)
}

func TestAddKeepsWhatIsGiven(t *testing.T) {
	c := NewCluster(Options{})
	deleted := pod("a")
	deleted.UID, deleted.ResourceVersion = "given", "123"
	deleted.Status.Phase = corev1.PodRunning
	deleted.DeletionTimestamp, deleted.Finalizers = new(now()), []string{"example.com/backup"}
	require.NoError(t, c.Add(deleted))
	got := c.Pod("default", "a")
	require.Equal(t, types.UID("given"), got.UID)
	require.Equal(t, "1", got.ResourceVersion)
	require.Equal(t, corev1.PodRunning, got.Status.Phase)
	require.NotNil(t, got.DeletionTimestamp)
	require.ErrorContains(t, c.Add(pod("a")), "Pod default/a is there twice")
	require.ErrorContains(t, c.Add(&corev1.Secret{}), "*v1.Secret are not served")
	require.ErrorContains(t, c.Add(&corev1.Pod{}), "has no name")
}

func TestConnectionRefusedIsRecognised(t *testing.T) {
	var network interface{ Timeout() bool }
	require.ErrorContains(t, connectionRefused(), "connection refused")
	require.True(t, errors.As(connectionRefused(), &network))
}
