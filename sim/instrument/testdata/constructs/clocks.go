package constructs

import (
	"fmt"
	"time"

	"example.com/foreign"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"
)

type timed struct {
	clock   clock.WithTicker
	passive clock.PassiveClock
}

// clocks hands clocks of either package to the queue, and a queue of one package to a variable of the other's type.
func clocks() string {
	fake := clocktesting.NewFakeClock(time.Unix(0, 0))
	for _, c := range []timed{{clock.RealClock{}, fake}, {fake, clock.RealClock{}}} {
		if c.clock == c.passive {
			return "equal"
		}
		q := workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{Clock: c.clock})
		q.AddAfter("now", 0)
		q.Get()
		q.ShutDown()
	}
	var real clock.RealClock
	timer, ticker := real.NewTimer(1), real.NewTicker(1)
	<-timer.C()
	<-ticker.C()
	<-real.After(1)
	ticker.Stop()
	real.Sleep(1)
	called := make(chan bool)
	real.AfterFunc(1, func() { called <- true })
	waits := fake.NewTimer(time.Hour)
	fake.Step(time.Hour)
	<-waits.C()
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	q.Add("kept")
	var same workqueue.RateLimitingInterface
	left := foreign.Drain(q, real)
	return fmt.Sprint(left, same == nil, timer.Stop(), <-called, fake.HasWaiters())
}
