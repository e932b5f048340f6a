package kube

import (
	"context"

	"k8s.io/client-go/util/workqueue"
)

// drainWithoutDone waits until the queue is drained, but a worker that gave up still has its key.
func drainWithoutDone(ctx context.Context, e Env) { drain(ctx, e, func(queue, string) {}) }

func drainWithoutDoneFixed(ctx context.Context, e Env) {
	drain(ctx, e, func(q queue, pod string) { q.Done(pod) })
}

func drain(ctx context.Context, e Env, failed func(q queue, pod string)) {
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	q.Add("a")
	q.Add("missing")
	go func() {
		for pod, stopped := q.Get(); !stopped; pod, stopped = q.Get() {
			if err := e.annotate(ctx, pod, "seen", "yes"); err != nil {
				failed(q, pod)
				return
			}
			q.Done(pod)
		}
	}()
	<-ctx.Done()
	q.ShutDownWithDrain()
	q.ShutDown() // the part of it that delays
}

// queueLeftOpen stops without shutting its queue down, in which the worker waits for ever.
func queueLeftOpen(ctx context.Context, e Env) { backUpOne(ctx, e, func(queue) {}) }

func queueLeftOpenFixed(ctx context.Context, e Env) {
	backUpOne(ctx, e, func(q queue) { q.ShutDown() })
}

func backUpOne(ctx context.Context, e Env, stop func(queue)) {
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	q.Add("c")
	go work(q, func(pod string) error { return e.backUp(ctx, pod) })
	<-ctx.Done()
	stop(q)
}

// shutdownIgnored takes the empty key of a queue that is shut down for one to work on, again and again.
func shutdownIgnored(ctx context.Context, e Env) { workOn(ctx, e, func(bool) bool { return false }) }

func shutdownIgnoredFixed(ctx context.Context, e Env) {
	workOn(ctx, e, func(stopped bool) bool { return stopped })
}

func workOn(ctx context.Context, e Env, over func(stopped bool) bool) {
	q := newQueue(ctx)
	q.Add("c")
	for {
		pod, stopped := q.Get()
		if over(stopped) {
			return
		}
		e.backUp(ctx, pod)
		q.Done(pod)
	}
}
