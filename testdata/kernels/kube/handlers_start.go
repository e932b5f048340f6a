package kube

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"
)

// lockedStart waits for its handlers under the lock that they need.
func lockedStart(ctx context.Context, e Env) {
	var names roster
	r := e.onPods(names.add)
	go e.Informers.Run(ctx)
	names.mu.Lock()
	defer names.mu.Unlock()
	synced(ctx, r.HasSyncedChecker())
	e.Log.InfoContext(ctx, "started", "pods", len(names.pods))
}

func lockedStartFixed(ctx context.Context, e Env) {
	var names roster
	r := e.onPods(names.add)
	go e.Informers.Run(ctx)
	synced(ctx, r.HasSyncedChecker())
	names.mu.Lock()
	defer names.mu.Unlock()
	e.Log.InfoContext(ctx, "started", "pods", len(names.pods))
}

type roster struct {
	mu   sync.Mutex
	pods []string
}

func (r *roster) add(pod string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pods = append(r.pods, pod)
}

// startGate holds its handlers back until it has started, which it has not before they returned.
func startGate(ctx context.Context, e Env) {
	start(ctx, e, func(r cache.ResourceEventHandlerRegistration) cache.DoneChecker { return r.HasSyncedChecker() })
}

func startGateFixed(ctx context.Context, e Env) {
	start(ctx, e, func(cache.ResourceEventHandlerRegistration) cache.DoneChecker {
		return e.Informers.Pods().HasSyncedChecker()
	})
}

func start(ctx context.Context, e Env, what func(cache.ResourceEventHandlerRegistration) cache.DoneChecker) {
	started := make(chan struct{})
	r := e.onPods(func(pod string) {
		<-started
		e.Log.InfoContext(ctx, "event", "pod", pod)
	})
	go e.Informers.Run(ctx)
	if synced(ctx, what(r)) {
		close(started)
	}
}

// countEarly takes the informer's sync for that of the handlers.
func countEarly(ctx context.Context, e Env) {
	count(ctx, e, func(cache.ResourceEventHandlerRegistration) cache.DoneChecker {
		return e.Informers.Pods().HasSyncedChecker()
	})
}

func countEarlyFixed(ctx context.Context, e Env) {
	count(ctx, e, func(r cache.ResourceEventHandlerRegistration) cache.DoneChecker { return r.HasSyncedChecker() })
}

func count(ctx context.Context, e Env, what func(cache.ResourceEventHandlerRegistration) cache.DoneChecker) {
	var seen atomic.Int64
	r := e.onPods(func(string) { seen.Add(1) })
	go e.Informers.Run(ctx)
	if synced(ctx, what(r)) && seen.Load() != 3 {
		panic(fmt.Sprintf("started with %d pods of 3", seen.Load()))
	}
}
