package monitor

import (
	"context"
	"fmt"
	"sync"
)

// Run starts the event pool and two reconcilers, one for pods and one for
// snapshots, and works until ctx ends. The caller runs the informers.
func (m *Monitor) Run(ctx context.Context) error {
	pods, snapshots := newReconciler(m.config.Pods), newReconciler(m.config.Snapshots)
	for _, r := range []*reconciler{pods, snapshots} {
		defer r.queue.ShutDown()
		registration, err := r.informer.AddEventHandler(r.handler())
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("monitor: register with an informer: %w", err)
		}
		defer r.informer.RemoveEventHandler(registration)
	}

	var running sync.WaitGroup
	running.Go(func() { m.pool.run(ctx) })
	running.Go(func() { pods.run(ctx, m.pool) })
	running.Go(func() { snapshots.run(ctx, m.pool) })
	<-ctx.Done()
	pods.queue.ShutDown()
	snapshots.queue.ShutDown()
	running.Wait()
	m.finalizing.Wait()
	return nil
}
