package fakes_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/sim"
)

// marking marks the pods that its handler sees: the cached ones, or copies.
func marking(careful bool) func(*sim.World) {
	return func(w *sim.World) {
		cluster := fakes.NewCluster(fakes.Options{})
		addPods(cluster, 3)
		w.Start(sim.Program{Name: "program", Main: func(ctx context.Context) {
			informer := cluster.Informers().Pods()
			_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(o any) {
				pod := o.(*corev1.Pod)
				if careful {
					pod = pod.DeepCopy()
				}
				if pod.Name == "pod-1" {
					pod.Labels = map[string]string{"seen": "true"}
				}
			}})
			if err != nil {
				panic(err)
			}
			informer.Run(ctx.Done())
		}})
	}
}

// TestSharedObjectsAreLookedAfter: a handler that changes an object of the cache changes it for everybody, and only the object
// itself can tell.
func TestSharedObjectsAreLookedAfter(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 5}, marking(false))
	if assert.Len(t, s.Findings, 1) {
		f := s.Findings[0]
		assert.Contains(t, f.Property, "SharedObjects")
		assert.Contains(t, f.Summary, "pods default/pod-1 at revision 2 was changed")
		assert.Contains(t, f.Detail, "deliver add pods default/pod-1")
	}
	assert.Empty(t, sim.Explore(t, sim.Options{Schedules: 20}, marking(true)).Findings)
}
