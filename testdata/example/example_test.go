package example_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/testdata/example"
)

func TestMain(m *testing.M) { sim.Main(m) }

// controlPlane is a cluster that serves widgets, and what may go wrong there.
var controlPlane = fakes.Options{
	Types: []fakes.Type{fakes.TypeOf[*example.Widget, *example.WidgetList](example.GroupVersion.WithResource("widgets"))},
	Faults: fakes.Faults{
		Relists: 2, Resyncs: 1, StaleLists: 2, HandlerLags: 2, InformerLags: 2, Mishaps: 10, Rare: 5,
	},
	StopDelays: []time.Duration{0, time.Second, time.Minute},
}

// storm is a scenario: two widgets, a controller that crashes, stalls and is replaced, and users who get in its way.
func storm(plan example.Plan) func(*sim.World) {
	return func(w *sim.World) {
		cluster := fakes.NewCluster(controlPlane)
		if err := cluster.Add(newWidget("left"), newWidget("right")); err != nil {
			panic(err)
		}
		w.Go("kubelet", cluster.Kubelet)
		w.Go("garbage-collector", cluster.GarbageCollector)
		w.Go("user", func(ctx context.Context) { cluster.User(ctx, user) })
		w.Go("scaler", func(ctx context.Context) { scale(ctx, cluster, "left") })
		w.Start(sim.Program{
			Name: "controller", Crashes: 2, Overlaps: 1, Stalls: 1,
			Main: func(ctx context.Context) { run(ctx, w, cluster, plan) },
		})
		w.Always(notTooMany, func() error { return tooMany(cluster) })
		w.Settled(satisfied, func() error { return unsatisfied(cluster) })
	}
}

// TestByCount: the bug is found from each of 20 seeds, within 100 schedules.
func TestByCount(t *testing.T) {
	for _, s := range sim.ExploreSeeds(t, sim.Options{Seeds: 20, First: true}, storm(example.ByCount)) {
		require.Len(t, s.Findings, 1, "seed %d", s.Seed)
		require.Equal(t, notTooMany, s.Findings[0].Property, "seed %d", s.Seed)
	}
}

// TestByName: the fix is clean.
func TestByName(t *testing.T) { sim.Check(t, storm(example.ByName)) }

// run is one run of the controller's process, as its main function would be.
func run(ctx context.Context, w *sim.World, cluster *fakes.Cluster, plan example.Plan) {
	clients, informers := cluster.Clients(), cluster.Informers()
	r := &example.Reconciler{
		Widgets: informers.Informer(&example.Widget{}),
		Pods:    informers.Pods(),
		WidgetsIn: func(namespace string) example.WidgetClient {
			return fakes.ClientFor[*example.Widget, *example.WidgetList](clients, namespace)
		},
		PodsIn: func(namespace string) example.PodClient { return clients.Kubernetes.CoreV1().Pods(namespace) },
		Plan:   plan,
		Log:    w.Logger(),
	}
	go informers.Run(ctx)
	if err := r.Run(ctx); err != nil && ctx.Err() == nil {
		panic(err)
	}
}

const (
	replicas = 2 // of each widget at first
	fewer    = 1 // of one of them later
)

func newWidget(name string) *example.Widget {
	return &example.Widget{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec:       example.WidgetSpec{Replicas: replicas, Node: "node"},
	}
}

// user relabels, deletes and recreates widgets, and deletes pods. A pod that the user makes would be one too many.
var user = fakes.User{
	Deeds:  6,
	Pauses: []time.Duration{0, time.Second, time.Minute},
	May: func(d fakes.Deed, o metav1.Object) bool {
		_, isPod := o.(*corev1.Pod)
		return !isPod || d != fakes.Recreate
	},
}

// scale asks for fewer pods of a widget, unless it is gone or somebody else writes in between.
func scale(ctx context.Context, cluster *fakes.Cluster, name string) {
	widgets := fakes.ClientFor[*example.Widget, *example.WidgetList](cluster.Clients(), "default")
	if widget, err := widgets.Get(ctx, name, metav1.GetOptions{}); err == nil {
		widget.Spec.Replicas = fewer
		_, _ = widgets.Update(ctx, widget, metav1.UpdateOptions{})
	}
}

const (
	notTooMany = "NotTooMany: a widget never has more pods than anybody asked for"
	satisfied  = "Satisfied: in the end each widget has its pods, its status says so, and there are no others"
)

// podsOf counts the pods that are not being deleted, by the UIDs of their widgets.
func podsOf(cluster *fakes.Cluster) map[string]int {
	pods := map[string]int{}
	for _, pod := range cluster.Pods() {
		if pod.DeletionTimestamp == nil {
			pods[string(metav1.GetControllerOf(pod).UID)]++
		}
	}
	return pods
}

func tooMany(cluster *fakes.Cluster) error {
	for widget, n := range podsOf(cluster) {
		if n > replicas {
			return fmt.Errorf("the widget with UID %s has %d pods, and nobody asked for more than %d", widget, n, replicas)
		}
	}
	return nil
}

func unsatisfied(cluster *fakes.Cluster) error {
	pods := podsOf(cluster)
	for _, w := range fakes.Objects[*example.Widget](cluster) {
		n := pods[string(w.UID)]
		delete(pods, string(w.UID))
		if n != w.Spec.Replicas || w.Status.Pods != n {
			return fmt.Errorf("widget %s has %d pods, wants %d, and its status says %d", w.Name, n, w.Spec.Replicas, w.Status.Pods)
		}
	}
	if len(pods) > 0 {
		return fmt.Errorf("pods are left of widgets that are gone: %v", pods)
	}
	return nil
}
