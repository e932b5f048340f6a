package fakes_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/sim"
)

// reading makes a program that labels a pod, and wants to see that in its next reads.
func reading(resourceVersion string) func(*sim.World) {
	return func(w *sim.World) {
		cluster := fakes.NewCluster(fakes.Options{Faults: fakes.Faults{StaleReads: 2}})
		addPods(cluster, 1)
		w.Start(sim.Program{Name: "program", Main: func(ctx context.Context) {
			client := cluster.Clients().Kubernetes
			label(ctx, client, "pod-0", "new")
			api := client.CoreV1().Pods("default")
			pod, err := api.Get(ctx, "pod-0", metav1.GetOptions{ResourceVersion: resourceVersion})
			if err == nil && pod.Labels["value"] != "new" {
				panic("an old pod")
			}
			list, err := api.List(ctx, metav1.ListOptions{ResourceVersion: resourceVersion})
			if err == nil && list.Items[0].Labels["value"] != "new" {
				panic("an old list")
			}
		}})
	}
}

// TestStaleReads: a read of resourceVersion "0" may be old, and no other one.
func TestStaleReads(t *testing.T) {
	s := sim.Explore(t, sim.Options{Schedules: 50}, reading("0"))
	assert.Equal(t, []string{"panic", "panic"}, kinds(s))
	assert.Positive(t, s.Occurred["stale read"])
	assert.Empty(t, sim.Explore(t, sim.Options{Schedules: 50}, reading("")).Findings)
}

func kinds(s sim.Summary) []string {
	all := []string{}
	for _, f := range s.Findings {
		all = append(all, f.Kind)
	}
	return all
}
