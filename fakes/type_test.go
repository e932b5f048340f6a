package fakes

import (
	"strings"
	"testing"
	"testing/synctest"

	snapshotfake "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/fake"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

func TestStatusOfAnyTypeIsApart(t *testing.T) {
	c, api := withWidgets(Faults{})
	born := widget("a")
	born.Status.Done = []string{"too early"}
	w, err := api.Create(ctx, born, metav1.CreateOptions{})
	require.NoError(t, err)
	require.Empty(t, w.Status, "a create sets no status")

	w.Spec.Size, w.Status.Done = 7, []string{"by update"}
	w, err = api.Update(ctx, w, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.Empty(t, w.Status, "an update leaves the status")
	require.Equal(t, int64(2), w.Generation, "a new spec is a new generation")

	w.Spec.Size, w.Status.Done = 8, []string{"by status"}
	w, err = api.UpdateStatus(ctx, w, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.Equal(t, 7, w.Spec.Size, "the status subresource changes the status only")
	require.Equal(t, int64(2), w.Generation)
	require.Equal(t, []string{"by status"}, w.Status.Done)

	before := Lookup[*Widget](c, "default", "a")
	w.Spec.Size = 9
	w, err = api.Update(ctx, w, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.NotSame(t, &before.Status.Done[0], &Lookup[*Widget](c, "default", "a").Status.Done[0], "no two states share memory")

	w.Status.Done[0] = "changed by the client"
	require.Equal(t, []string{"by status"}, Lookup[*Widget](c, "default", "a").Status.Done)
	again, err := api.UpdateStatus(ctx, Lookup[*Widget](c, "default", "a"), metav1.UpdateOptions{})
	require.NoError(t, err)
	require.Equal(t, w.ResourceVersion, again.ResourceVersion, "the same status makes no revision")
}

func TestTypeWithoutStatusHasNoSubresource(t *testing.T) {
	c, _ := withWidgets(Faults{})
	api := ClientFor[*Rack, *RackList](c.Clients(), "")
	r, err := api.Create(ctx, &Rack{ObjectMeta: metav1.ObjectMeta{Name: "r"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = api.UpdateStatus(ctx, r, metav1.UpdateOptions{})
	require.True(t, apierrors.IsNotFound(err), err)
	r.Height = 2
	r, err = api.Update(ctx, r, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.Equal(t, int64(2), r.Generation)
	require.Equal(t, 2, Objects[*Rack](c)[0].Height)
	require.NoError(t, c.Add(&Rack{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "s"}}))
	require.Empty(t, Lookup[*Rack](c, "", "s").Namespace)
}

// Generations are not of all types: whoever waits for a new generation of a
// config map waits for ever.
func TestBuiltInTypes(t *testing.T) {
	c, _ := withWidgets(Faults{})
	api := c.Clients().Kubernetes
	m, err := api.CoreV1().ConfigMaps("default").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	m.Data, m.ResourceVersion = map[string]string{"k": "v"}, ""
	m, err = api.CoreV1().ConfigMaps("default").Update(ctx, m, metav1.UpdateOptions{})
	require.NoError(t, err, "an update of a built-in type needs no revision")
	require.Zero(t, m.Generation)
	require.Equal(t, "2", m.ResourceVersion)

	_, err = api.AppsV1().Deployments("default").Create(ctx, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "d"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	d, err := api.AppsV1().Deployments("default").Patch(ctx, "d", types.StrategicMergePatchType, []byte(`{"spec":{"paused":true}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	require.Equal(t, int64(2), d.Generation)
	_, err = api.AppsV1().Deployments("default").GetScale(ctx, "d", metav1.GetOptions{})
	require.True(t, apierrors.IsNotFound(err), err)
	require.Len(t, Objects[*appsv1.Deployment](c), 1)
}

func TestClientForHasTheUsualMethods(t *testing.T) {
	c, api := withWidgets(Faults{})
	require.NoError(t, c.Add(widget("a"), widget("b"), &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "other", Name: "c"}}))
	list, err := api.List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, list.Items, 2)
	require.Equal(t, "3", list.ResourceVersion)
	list.Items[0].Spec.Parts[0] = "changed by the client"
	require.Equal(t, []string{"part"}, Lookup[*Widget](c, "default", "a").Spec.Parts)

	w, err := api.Watch(ctx, metav1.ListOptions{ResourceVersion: "1"})
	require.NoError(t, err)
	defer w.Stop()
	require.Equal(t, "b", (<-w.ResultChan()).Object.(*Widget).Name)
	patched, err := api.Patch(ctx, "a", types.MergePatchType, []byte(`{"spec":{"size":3}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	require.Equal(t, 3, patched.Spec.Size)
	_, err = api.Patch(ctx, "a", types.StrategicMergePatchType, []byte(`{}`), metav1.PatchOptions{})
	require.Equal(t, metav1.StatusReasonUnsupportedMediaType, reason(err), "as for all custom resources")
	require.NoError(t, api.Delete(ctx, "a", metav1.DeleteOptions{}))
	_, err = api.Get(ctx, "a", metav1.GetOptions{})
	require.True(t, apierrors.IsNotFound(err))
	require.NoError(t, api.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	require.Nil(t, Lookup[*Widget](c, "default", "b"))
	require.Equal(t, "other", Objects[*Widget](c)[0].Namespace)
}

func TestInformerForAnyType(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, api := withWidgets(Faults{})
		require.NoError(t, c.Add(widget("a")))
		informers := c.Informers()
		var names []string
		_, err := informers.Informer(&Widget{}).AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(o any) { names = append(names, o.(*Widget).Name) },
		})
		require.NoError(t, err)
		stop := make(chan struct{})
		go informers.Informer(&Widget{}).Run(stop)
		synctest.Wait()
		_, err = api.Create(ctx, widget("b"), metav1.CreateOptions{})
		require.NoError(t, err)
		synctest.Wait()
		require.Equal(t, []string{"a", "b"}, names)
		close(stop)
		synctest.Wait()
	})
}

func TestAnswerMakesAFakeAskTheCluster(t *testing.T) {
	c := NewCluster(Options{})
	generated := snapshotfake.NewSimpleClientset(snapshot("of the tracker"))
	c.Clients().Answer(&generated.Fake)
	require.NoError(t, c.Add(snapshot("s")))
	list, err := generated.SnapshotV1().VolumeSnapshots("default").List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.Equal(t, "s", list.Items[0].Name)
}

func TestManifestsOfAnyType(t *testing.T) {
	const text = `apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
spec: {size: 3}
---
apiVersion: example.com/v1
kind: Rack
metadata: {name: r}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
`
	m, err := readText(t, "none.yaml", text)
	require.NoError(t, err)
	require.Empty(t, m.Objects)

	o := Options{Types: []Type{widgets, racks, TypeOf[*corev1.Secret, *corev1.SecretList](corev1.SchemeGroupVersion.WithResource("secrets"))}}
	m, err = o.ReadManifests(written(t, "all.yaml", text))
	require.NoError(t, err)
	require.Equal(t, map[string]int{"v1/Secret": 1}, m.Skipped, "secrets are never kept")
	c := NewCluster(o)
	require.NoError(t, c.Add(m.Objects...))
	require.Equal(t, 3, Lookup[*Widget](c, "default", "w").Spec.Size)
	require.Empty(t, Lookup[*Rack](c, "", "r").Namespace)
	_, err = o.ReadManifests(written(t, "wrong.yaml", strings.ReplaceAll(text, "3", "big")))
	require.ErrorContains(t, err, `spec.size: want a whole number, found "big"`)
}

func TestMistakesWithTypesPanic(t *testing.T) {
	check := func(want string, mistake func()) {
		t.Helper()
		defer func() { require.Contains(t, recover(), want) }()
		mistake()
	}
	c := NewCluster(Options{})
	check("pods is served already", func() { NewCluster(Options{Types: []Type{always[pods]}}) })
	check("widgets.example.com is served already", func() { NewCluster(Options{Types: []Type{widgets, widgets}}) })
	check("an empty Type", func() { NewCluster(Options{Types: []Type{{}}}) })
	check("fakes.RackList is no list of fakes.Widget", func() { TypeOf[*Widget, *RackList](widgetGroup.WithResource("widgets")) })
	check("*fakes.Widget are not served", func() { Objects[*Widget](c) })
	check("*fakes.Widget are not served", func() { c.Informers().Informer(&Widget{}) })
	check("with lists of type *v1.PodList", func() { ClientFor[*corev1.Pod, *corev1.ConfigMapList](c.Clients(), "") })
}

func TestFieldSelectors(t *testing.T) {
	c, _ := withWidgets(Faults{})
	onNode := pod("on-node")
	onNode.Spec.NodeName, onNode.Status.Phase = "n", corev1.PodRunning
	event := &corev1.Event{ObjectMeta: metav1.ObjectMeta{Name: "e"}, InvolvedObject: corev1.ObjectReference{Kind: "Pod", Name: "on-node"}}
	require.NoError(t, c.Add(pod("waiting"), onNode, event, widget("w")))
	core := c.Clients().Kubernetes.CoreV1()
	count := func(selector string) int {
		list, err := core.Pods("default").List(ctx, metav1.ListOptions{FieldSelector: selector})
		require.NoError(t, err)
		return len(list.Items)
	}
	require.Equal(t, 1, count("spec.nodeName="))
	require.Equal(t, 1, count("spec.nodeName=n,status.phase=Running"))
	require.Equal(t, 1, count("status.phase!=Running,metadata.name=waiting"))
	require.Equal(t, 0, count("spec.nodeName=n,metadata.name=waiting"))
	events, err := core.Events("").List(ctx, metav1.ListOptions{FieldSelector: "involvedObject.kind=Pod,involvedObject.name=on-node"})
	require.NoError(t, err)
	require.Len(t, events.Items, 1)
	_, err = ClientFor[*Widget, *WidgetList](c.Clients(), "").List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName=n"})
	require.True(t, apierrors.IsBadRequest(err), err)
}
