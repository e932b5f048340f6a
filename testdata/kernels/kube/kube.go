package kube

import (
	"context"
	"log/slog"
	"slices"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	snapshotclient "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/snapstorm/snapstorm/fakes"
)

// Kernel is a bug and its fix.
type Kernel struct {
	Name  string // with dashes, unique
	Class string // such as "queues" or "caches"
	Want  string // the kind of finding that shows the bug
	Bug   func(ctx context.Context, e Env)
	Fixed func(ctx context.Context, e Env)

	Others  func(ctx context.Context, e Env) // what others do in the cluster meanwhile; nil is nothing
	Holds   func(c *fakes.Cluster) error     // what must be so when nothing more happens; nil is nothing
	Crashes int                              // how often the program crashes and starts again
	Faults  fakes.Faults

	Schedules int    // within how many schedules each seed must show it; 0 means 100
	Why       string // it needs more than 100
	MaxSteps  int    // of a world, for a bug that is a livelock; 0 means the scheduler's own bound
}

// Env is what a kernel's program is given. Others get no informers.
type Env struct {
	Kubernetes kubernetes.Interface
	Snapshots  snapshotclient.Interface
	Informers  *fakes.Informers
	Log        *slog.Logger
}

// All returns the kernels of this package by class and name.
func All() []Kernel { return slices.Concat(queues, handlers, caches, writes) }

// namespace is where everything is.
const namespace = "default"

// NewCluster returns a cluster with the pods a, b and c, and with snapshots of a's and b's volumes that have their names.
func NewCluster(f fakes.Faults) (*fakes.Cluster, error) {
	c := fakes.NewCluster(fakes.Options{Faults: f})
	return c, c.Add(newPod("a"), newPod("b"), newPod("c"), newSnapshot("a", "a"), newSnapshot("b", "b"))
}

func newPod(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, Labels: map[string]string{"app": name},
	}}
}

// podLabel names, on a snapshot, the pod that it was taken for.
const podLabel = "pod"

// newSnapshot returns a snapshot of the volume of a pod. A name that ends in a dash is a prefix for the server's choice.
func newSnapshot(name, pod string) *snapshotv1.VolumeSnapshot {
	s := &snapshotv1.VolumeSnapshot{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, Labels: map[string]string{podLabel: pod},
	}}
	s.Spec.Source.PersistentVolumeClaimName = &pod
	return s
}
