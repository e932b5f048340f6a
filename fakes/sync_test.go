package fakes_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/client-go/tools/cache"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/sim"
)

// trusting waits for a sync, and then takes it that its handler has seen every pod.
func trusting(pods int, handlers bool) func(*sim.World) {
	return func(w *sim.World) {
		cluster := fakes.NewCluster(fakes.Options{})
		addPods(cluster, pods)
		w.Start(sim.Program{Name: "program", Main: func(ctx context.Context) {
			informer := cluster.Informers().Pods()
			var seen atomic.Int32
			registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { seen.Add(1) }})
			if err != nil {
				panic(err)
			}
			go informer.Run(ctx.Done())
			synced := informer.HasSynced
			if handlers {
				synced = registration.HasSynced
			}
			if cache.WaitForCacheSync(ctx.Done(), synced) && int(seen.Load()) < pods {
				panic("synced, but the handler has not seen all pods")
			}
		}})
	}
}

// TestSyncOfCacheIsNotOfHandlers: cache.WaitForCacheSync polls on a timer inside of client-go, which must be able to fire
// before all handlers are done, or nothing behind it is ever early.
func TestSyncOfCacheIsNotOfHandlers(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 100, First: true}, trusting(10, false))
	if assert.NotEmpty(t, s.Findings) {
		assert.Equal(t, "panic", s.Findings[0].Kind)
	}
	assert.Empty(t, sim.Explore(t, sim.Options{Schedules: 200}, trusting(10, true)).Findings)
}
