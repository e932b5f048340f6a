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

// scenario is the monitor in a cluster, and what may go wrong there.
type scenario struct {
	objects    []runtime.Object
	plane      fakes.Options
	user       func(context.Context, *fakes.Cluster)
	program    sim.Program // but for what it runs
	config     monitor.Config
	unprovided bool                                                              // nobody takes snapshots
	run        func(context.Context, *sim.World, *fakes.Cluster, monitor.Config) // the process; nil is one run until it ends
}

// restarts is a scenario: the monitor in a cluster with the objects, crashing and starting again.
func restarts(objects []runtime.Object, crashes int) func(*sim.World) {
	return scenario{
		objects: objects,
		plane:   controlPlane(),
		user:    func(ctx context.Context, cluster *fakes.Cluster) { cluster.User(ctx, user) },
		program: sim.Program{Crashes: crashes, Overlaps: 1, Stalls: 1},
		config:  monitor.Config{Deadline: deadline},
	}.play
}

// play sets the scenario up. In the last phase nothing goes wrong any more, and all workspaces stop.
func (s scenario) play(w *sim.World) {
	if s.run == nil {
		s.run = run
	}
	cluster := fakes.NewCluster(s.plane)
	if err := cluster.Add(s.objects...); err != nil {
		panic(err)
	}
	if !s.unprovided {
		w.Go("snapshot-controller", cluster.SnapshotController)
	}
	w.Go("kubelet", cluster.Kubelet)
	w.Go("user", func(ctx context.Context) {
		s.user(ctx, cluster)
		sim.Sleep(patience)
		cluster.Calm()
		cluster.User(ctx, fakes.User{Deeds: len(cluster.Pods()), May: mayStop})
	})
	s.program.Name, s.program.Main = "monitor", func(ctx context.Context) { s.run(ctx, w, cluster, s.config) }
	w.Start(s.program)
	guarantees(w, cluster, s.config.Deadline)
}

func mayStop(d fakes.Deed, o metav1.Object) bool {
	_, isPod := o.(*corev1.Pod)
	return isPod && d == fakes.Delete
}

// running is the monitor that was started last.
var running atomic.Pointer[monitor.Monitor]

// run is one run of the monitor's process, as its main function would be.
func run(ctx context.Context, w *sim.World, cluster *fakes.Cluster, c monitor.Config) {
	clients, informers := cluster.Clients(), cluster.Informers()
	c.Pods, c.Snapshots = informers.Pods(), informers.VolumeSnapshots()
	c.PodClient, c.ClaimClient = clients.Kubernetes.CoreV1(), clients.Kubernetes.CoreV1()
	c.SnapshotClient, c.ContentClient = clients.Snapshots.SnapshotV1(), clients.Snapshots.SnapshotV1()
	c.Logger = w.Logger()
	m, err := monitor.New(c)
	if err != nil {
		panic(err)
	}
	running.Store(m)
	go informers.Run(ctx)
	if err := m.Run(ctx); err != nil {
		panic(err)
	}
}
