package free

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"

	"github.com/snapstorm/snapstorm/monitor"
)

const (
	stopping = 20  // pods that stop
	finished = 200 // backups of pods that are gone
	restarts = 2
	patience = 10 * time.Second // an undisturbed run takes a fraction of one
)

// TestFlood stops pods among many ready snapshots, and restarts the monitor on the way. All pods must be let go.
func TestFlood(t *testing.T) {
	c := newCluster()
	ctx, cancel := context.WithCancel(t.Context())
	var others sync.WaitGroup
	others.Go(func() { c.snapshotController(ctx) })
	for range restarts {
		stop := start(t, c)
		time.Sleep(rand.N(20 * time.Millisecond))
		stop()
	}
	stop := start(t, c)
	for began := time.Now(); len(c.held(t)) > 0; time.Sleep(time.Millisecond) {
		if time.Since(began) > patience {
			t.Errorf("after %v these pods are still held: %v", patience, c.held(t))
			break
		}
	}
	stop()
	cancel()
	others.Wait()
}

// start starts a monitor and returns a function that stops it, and reports one that does not stop.
func start(t *testing.T, c *cluster) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	pods := informers.NewSharedInformerFactory(c.kubernetes, 0)
	snapshots := c.snapshotInformer()
	m, err := monitor.New(monitor.Config{
		Pods:           pods.Core().V1().Pods().Informer(),
		Snapshots:      snapshots,
		PodClient:      c.kubernetes.CoreV1(),
		ClaimClient:    c.kubernetes.CoreV1(),
		SnapshotClient: c.snapshots.SnapshotV1(),
		ContentClient:  c.snapshots.SnapshotV1(),
	})
	if err != nil {
		t.Fatal(err)
	}
	pods.Start(ctx.Done())
	var running sync.WaitGroup
	running.Go(func() { snapshots.RunWithContext(ctx) })
	result := make(chan error, 1)
	go func() { result <- m.Run(ctx) }()
	return func() {
		cancel()
		select {
		case err := <-result:
			if err != nil {
				t.Errorf("Run: got %v, want nil", err)
			}
		case <-time.After(patience):
			t.Errorf("Run has not returned %v after its context ended", patience)
		}
		pods.Shutdown()
		running.Wait()
	}
}

// held lists the pods that the monitor has not let go.
func (c *cluster) held(t *testing.T) (names []string) {
	pods, err := c.kubernetes.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pod := range pods.Items {
		if slices.Contains(pod.Finalizers, monitor.Finalizer) {
			names = append(names, pod.Name)
		}
	}
	return names
}
