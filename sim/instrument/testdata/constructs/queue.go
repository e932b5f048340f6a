package constructs

import (
	"fmt"

	"k8s.io/client-go/util/workqueue"
	queue "k8s.io/client-go/util/workqueue"
)

func queues() string {
	var q workqueue.TypedRateLimitingInterface[string] = queue.NewTypedRateLimitingQueue(queue.DefaultTypedControllerRateLimiter[string]())
	q.Add("a")
	q.Add("b")
	q.Add("a")
	first, _ := q.Get()
	q.Done(first)
	second, _ := q.Get()
	q.Done(second)
	q.AddAfter("late", 1)
	late, _ := q.Get()
	q.Done(late)
	q.ShutDown()
	return fmt.Sprint(first, second, late, q.Len())
}
