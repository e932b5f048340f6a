package fakes_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/workqueue"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/sim"
)

// withPods makes a world with a cluster of so many pods and one program that uses its client.
func withPods(pods int, main func(context.Context, kubernetes.Interface, *slog.Logger)) func(*sim.World) {
	return func(w *sim.World) {
		cluster := fakes.NewCluster(fakes.Options{})
		addPods(cluster, pods)
		w.Start(sim.Program{Name: "program", Main: func(ctx context.Context) { main(ctx, cluster.Clients().Kubernetes, w.Logger()) }})
	}
}

func addPods(cluster *fakes.Cluster, pods int) {
	for i := range pods {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("pod-%d", i)}}
		if err := cluster.Add(pod); err != nil {
			panic(err)
		}
	}
}

// label sets a label of a pod.
func label(ctx context.Context, client kubernetes.Interface, pod, value string) {
	p, err := client.CoreV1().Pods("default").Get(ctx, pod, metav1.GetOptions{})
	if err != nil {
		panic(err)
	}
	p.Labels = map[string]string{"value": value}
	if _, err := client.CoreV1().Pods("default").Update(ctx, p, metav1.UpdateOptions{}); err != nil {
		panic(err)
	}
}

// dueAtOnce has six keys come due in one workqueue at one instant, with three workers.
func dueAtOnce(ctx context.Context, client kubernetes.Interface, log *slog.Logger) {
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[int](time.Second, time.Minute))
	for range 3 {
		go func() {
			for {
				key, stopped := queue.Get()
				if stopped {
					return
				}
				if queue.NumRequeues(key) < 2 {
					queue.AddRateLimited(key)
				} else {
					label(ctx, client, fmt.Sprintf("pod-%d", key), "done")
					log.InfoContext(ctx, "done", "key", key)
					queue.Forget(key)
				}
				queue.Done(key)
			}
		}()
	}
	for key := range 6 {
		queue.AddAfter(key, time.Second)
	}
	<-ctx.Done()
	queue.ShutDown()
}

// TestDueAtOnce: client-go's workqueue wakes several goroutines at one instant, and every run of a schedule is the same.
func TestDueAtOnce(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 100, Twice: true}, withPods(6, dueAtOnce))
	assert.Empty(t, s.Findings)
	assert.Equal(t, s.Schedules, s.RunTwice)
	assert.Greater(t, s.Distinct, s.Schedules*9/10, "different schedules should be different worlds")
}
