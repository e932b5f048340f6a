package constructs

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
)

func libraries() string {
	group, ctx := errgroup.WithContext(context.Background())
	group.SetLimit(2)
	var sum, most atomic.Int64
	for i := range 5 {
		group.Go(func() error { sum.Add(int64(i)); return nil })
	}
	group.Go(func() error { return errors.New("one failed") })
	err := group.Wait()

	weighted := semaphore.NewWeighted(3)
	taken := weighted.Acquire(context.Background(), 2)
	tried := weighted.TryAcquire(2)
	late := weighted.Acquire(ctx, 2)
	var all errgroup.Group
	for range 4 {
		all.Go(func() error {
			if err := weighted.Acquire(context.Background(), 1); err != nil {
				return err
			}
			defer weighted.Release(1)
			most.Add(1)
			return nil
		})
	}
	weighted.Release(2)
	all.Wait()

	var flight singleflight.Group
	v, err2, _ := flight.Do("k", func() (any, error) { return 7, nil })
	result := <-flight.DoChan("k", func() (any, error) { return 8, nil })
	flight.Forget("k")
	return fmt.Sprint(sum.Load(), err, ctx.Err(), taken, tried, late, most.Load(), v, err2, result.Val)
}
