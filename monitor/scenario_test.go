package monitor_test

import (
	"context"
	"flag"
	"sync/atomic"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/monitor"
	"github.com/snapstorm/snapstorm/sim"
)

// deadline is the monitor's in all scenarios; horizon is longer, so that a world is not given up before the monitor is.
const (
	deadline = 30 * time.Minute
	horizon  = 2 * deadline
)

// manifests reads cluster files once; worlds share the objects.
func manifests(paths ...string) []runtime.Object {
	m, err := fakes.ReadManifests(paths...)
	if err != nil {
		sim.Misuse(err)
	}
	return m.Objects
}

var rare = flag.Int("rare", 50, "a fault is asked for about once in so many questions")

// controlPlane is what the monitor's cluster may do in all scenarios.
func controlPlane() fakes.Options {
	return fakes.Options{
		Faults:         fakes.Faults{Relists: 2, Resyncs: 1, StaleLists: 2, WatchEnds: 2, HandlerLags: 2, InformerLags: 2, Mishaps: 10, Rare: *rare},
		SnapshotDelays: []time.Duration{0, time.Second, deadline + patience},
		StopDelays:     []time.Duration{0, time.Second, time.Minute},

		SnapshotsNeverReady: true,
	}
}

// user stops workspaces, and does to snapshots whatever does not take a finished backup away.
var user = fakes.User{Deeds: 8, Pauses: []time.Duration{0, time.Second, time.Minute}, May: may}

func may(d fakes.Deed, o metav1.Object) bool {
	if d == fakes.Relabel {
		return true
	}
	switch o := o.(type) {
	case *corev1.Pod:
		return d == fakes.Delete
	case *snapshotv1.VolumeSnapshot:
		isBackup := o.Labels[monitor.LabelPodUID] != ""
		return !isBackup || o.Status == nil || o.Status.ReadyToUse == nil || !*o.Status.ReadyToUse
	}
	return false
}

// restarts is a scenario: the monitor in a cluster with the objects, crashing and starting again. In the last phase nothing
// goes wrong any more, and all workspaces stop.
func restarts(objects []runtime.Object, crashes int) func(*sim.World) {
	return func(w *sim.World) {
		s := scene{objects, controlPlane(), user, sim.Program{Crashes: crashes, Overlaps: 1, Stalls: 1}}
		s.play(w, func(ctx context.Context, cluster *fakes.Cluster) { run(ctx, w, cluster, deadline) })
	}
}

// scene is a cluster, the user who works in it, and how the monitor's process may end.
type scene struct {
	objects []runtime.Object
	options fakes.Options
	user    fakes.User
	program sim.Program
}

// play sets everything up. Main is the main function of the monitor's process.
func (s scene) play(w *sim.World, main func(context.Context, *fakes.Cluster)) {
	cluster := fakes.NewCluster(s.options)
	if err := cluster.Add(s.objects...); err != nil {
		panic(err)
	}
	w.Go("snapshot-controller", cluster.SnapshotController)
	w.Go("kubelet", cluster.Kubelet)
	w.Go("user", func(ctx context.Context) {
		cluster.User(ctx, s.user)
		sim.Sleep(patience)
		cluster.Calm()
		cluster.User(ctx, fakes.User{Deeds: len(cluster.Pods()), May: mayStop})
	})
	s.program.Name, s.program.Main = "monitor", func(ctx context.Context) { main(ctx, cluster) }
	w.Start(s.program)
	guarantees(w, cluster, s.objects)
}

func mayStop(d fakes.Deed, o metav1.Object) bool {
	_, isPod := o.(*corev1.Pod)
	return isPod && d == fakes.Delete
}

// running is the monitor that was started last.
var running atomic.Pointer[monitor.Monitor]

// run is one run of the monitor's process, as its main function would be.
func run(ctx context.Context, w *sim.World, cluster *fakes.Cluster, deadline time.Duration) {
	clients, informers := cluster.Clients(), cluster.Informers()
	m, err := monitor.New(monitor.Config{
		Pods:           informers.Pods(),
		Snapshots:      informers.VolumeSnapshots(),
		PodClient:      clients.Kubernetes.CoreV1(),
		ClaimClient:    clients.Kubernetes.CoreV1(),
		SnapshotClient: clients.Snapshots.SnapshotV1(),
		ContentClient:  clients.Snapshots.SnapshotV1(),
		Deadline:       deadline,
		Logger:         w.Logger(),
	})
	if err != nil {
		panic(err)
	}
	running.Store(m)
	go informers.Run(ctx)
	if err := m.Run(ctx); err != nil {
		panic(err)
	}
}
