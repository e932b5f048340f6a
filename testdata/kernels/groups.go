package kernels

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

var groups = []Kernel{
	{Name: "group-ctx-ignored", Class: "groups", Want: "leak", Bug: groupCtxIgnored, Fixed: groupCtxIgnoredFixed},
	{Name: "group-go-inside-go", Class: "groups", Want: "stuck", Bug: groupGoInsideGo, Fixed: groupGoInsideGoFixed},
	{Name: "group-ctx-after-wait", Class: "groups", Want: "panic", Bug: groupCtxAfterWait, Fixed: groupCtxAfterWaitFixed},
	{Name: "semaphore-taken-twice", Class: "groups", Want: "leak", Bug: semaphoreTakenTwice, Fixed: semaphoreTakenTwiceFixed},
	{Name: "semaphore-kept-on-error", Class: "groups", Want: "leak", Bug: semaphoreKeptOnError, Fixed: semaphoreKeptOnErrorFixed},
}

// groupCtxIgnored fails one copy, which ends the group's context, but the other copy does not look at that.
func groupCtxIgnored(ctx context.Context) {
	copyBoth(ctx, func(_ context.Context, chunks <-chan string) error {
		<-chunks
		return nil
	})
}

func groupCtxIgnoredFixed(ctx context.Context) {
	copyBoth(ctx, func(ctx context.Context, chunks <-chan string) error {
		select {
		case <-chunks:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

func copyBoth(ctx context.Context, write func(context.Context, <-chan string) error) {
	g, ctx := errgroup.WithContext(ctx)
	chunks := make(chan string)
	g.Go(func() error { return errors.New("no such snapshot") })
	g.Go(func() error { return write(ctx, chunks) })
	_ = g.Wait()
}

// groupGoInsideGo adds to a limited group from inside of it: the place that it waits for is its own.
func groupGoInsideGo(context.Context) {
	visitNodes(func(g *errgroup.Group, visit func() error) { g.Go(visit) })
}

func groupGoInsideGoFixed(context.Context) {
	visitNodes(func(g *errgroup.Group, visit func() error) {
		if !g.TryGo(visit) {
			_ = visit()
		}
	})
}

func visitNodes(child func(*errgroup.Group, func() error)) {
	var g errgroup.Group
	g.SetLimit(2)
	for range 2 {
		g.Go(func() error {
			child(&g, func() error { return nil })
			return nil
		})
	}
	_ = g.Wait()
}

// groupCtxAfterWait goes on with the group's context, which Wait has ended.
func groupCtxAfterWait(ctx context.Context) {
	prepareAndApply(ctx, func(_, group context.Context) context.Context { return group })
}

func groupCtxAfterWaitFixed(ctx context.Context) {
	prepareAndApply(ctx, func(outer, _ context.Context) context.Context { return outer })
}

func prepareAndApply(outer context.Context, choose func(outer, group context.Context) context.Context) {
	g, group := errgroup.WithContext(outer)
	prepared := make(chan bool, 2)
	for range 2 {
		g.Go(func() error { prepared <- true; return nil })
	}
	if g.Wait() == nil && choose(outer, group).Err() != nil {
		panic("everything is prepared and nothing is applied")
	}
}

// semaphoreTakenTwice takes one place for a restore and one for each of its volumes; two restores have all places.
func semaphoreTakenTwice(context.Context) {
	restoreTwo(func(places *semaphore.Weighted) {
		_ = places.Acquire(context.Background(), 1)
		_ = places.Acquire(context.Background(), 1)
	})
}

func semaphoreTakenTwiceFixed(context.Context) {
	restoreTwo(func(places *semaphore.Weighted) { _ = places.Acquire(context.Background(), 2) })
}

func restoreTwo(acquire func(*semaphore.Weighted)) {
	places := semaphore.NewWeighted(2)
	for range 2 {
		go func() {
			acquire(places)
			places.Release(2)
		}()
	}
}

// semaphoreKeptOnError returns early from a download that fails, and keeps its place.
func semaphoreKeptOnError(context.Context) {
	downloadThree(func(places *semaphore.Weighted, download func() error) {
		if download() != nil {
			return
		}
		places.Release(1)
	})
}

func semaphoreKeptOnErrorFixed(context.Context) {
	downloadThree(func(places *semaphore.Weighted, download func() error) {
		defer places.Release(1)
		if download() != nil {
			return
		}
	})
}

func downloadThree(run func(*semaphore.Weighted, func() error)) {
	places := semaphore.NewWeighted(1)
	for i := range 3 {
		go func() {
			_ = places.Acquire(context.Background(), 1)
			run(places, func() error {
				if i == 1 {
					return errors.New("not found")
				}
				return nil
			})
		}()
	}
}
