package monitor

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// The pauses of a finalization that failed and is tried again. They are per pod:
// a limit shared by all would let one pod's failures slow another's backup.
const (
	firstRetryPause   = 50 * time.Millisecond
	longestRetryPause = 30 * time.Second
)

// Run registers the event handlers, waits until they have seen the initial
// lists, and finalizes pods until ctx ends. It returns nil after ctx has ended
// and every finalization has returned, or an error if an informer refuses the
// handlers. The caller runs the informers. A Monitor runs at most once at a
// time.
func (m *Monitor) Run(ctx context.Context) error {
	m.queue = workqueue.NewTypedRateLimitingQueue(
		workqueue.NewTypedItemExponentialFailureRateLimiter[podKey](firstRetryPause, longestRetryPause))
	defer m.queue.ShutDown()

	pods, err := m.config.Pods.AddEventHandler(m.podHandler())
	if err != nil {
		return unlessStopped(ctx, fmt.Errorf("monitor: register with the pod informer: %w", err))
	}
	defer m.config.Pods.RemoveEventHandler(pods)

	snapshots, err := m.config.Snapshots.AddEventHandler(m.snapshotHandler())
	if err != nil {
		return unlessStopped(ctx, fmt.Errorf("monitor: register with the snapshot informer: %w", err))
	}
	defer m.config.Snapshots.RemoveEventHandler(snapshots)

	if delivered(ctx, pods) && delivered(ctx, snapshots) {
		m.log.InfoContext(ctx, "monitor started", "deadline", m.config.Deadline)
		m.serve(ctx)
	}
	return nil
}

// unlessStopped drops the error of who is told to stop: informers that stopped
// earlier take no handlers.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// delivered waits until the registered handler has returned from the last event
// of the initial list. An informer that has synced says nothing about that.
func delivered(ctx context.Context, registration cache.ResourceEventHandlerRegistration) bool {
	select {
	case <-registration.HasSyncedChecker().Done():
		return true
	case <-ctx.Done():
		return false
	}
}

// serve dispatches pods until ctx ends, and returns when the last finalization
// has.
func (m *Monitor) serve(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() { m.dispatch(ctx, &running) })
	<-ctx.Done()
	m.queue.ShutDown()
	running.Wait()
}

// dispatch gives every pod a goroutine of its own. A fixed number of workers
// would be used up by pods that wait for slow snapshots, and then stop all
// others. The queue hands out a key again only after Done, so a pod never has
// two finalizations.
func (m *Monitor) dispatch(ctx context.Context, running *sync.WaitGroup) {
	for {
		key, stopped := m.queue.Get()
		if stopped {
			return
		}
		running.Go(func() { m.work(ctx, key) })
	}
}

func (m *Monitor) work(ctx context.Context, key podKey) {
	defer m.queue.Done(key)
	if ctx.Err() != nil {
		return
	}
	err := m.finalize(ctx, key)
	switch {
	case err == nil:
		m.queue.Forget(key)
	case ctx.Err() != nil:
		m.log.InfoContext(ctx, "stopped while finalizing; the next run carries on", "pod", key)
	default:
		m.log.WarnContext(ctx, "finalization failed; will try again", "pod", key, "error", err)
		m.queue.AddRateLimited(key)
	}
}
