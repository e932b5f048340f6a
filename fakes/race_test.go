//go:build race

package fakes_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/kubernetes"

	"github.com/snapstorm/snapstorm/sim"
)

// between has two goroutines count, with API calls and log lines on both sides.
func between(locked bool) func(context.Context, kubernetes.Interface, *slog.Logger) {
	return func(ctx context.Context, client kubernetes.Interface, log *slog.Logger) {
		var mu sync.Mutex
		count := 0
		for _, pod := range []string{"pod-0", "pod-1"} {
			go func() {
				label(ctx, client, pod, "before")
				log.InfoContext(ctx, "before", "pod", pod)
				if locked {
					mu.Lock()
				}
				count++
				if locked {
					mu.Unlock()
				}
				log.InfoContext(ctx, "after", "pod", pod)
				label(ctx, client, pod, "after")
			}()
		}
	}
}

// TestRaceBesideCallsIsNotMasked: neither the cluster nor the logger orders what the program does beside them.
func TestRaceBesideCallsIsNotMasked(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		o := sim.Options{Schedules: 100, Seed: seed}
		found := sim.Explore(t, o, withPods(2, between(false))).Findings
		require.Len(t, found, 1, "seed %d", seed)
		require.Equal(t, "data-race", found[0].Kind)
		require.Equal(t, 100, found[0].Times, "seed %d", seed)
		require.Empty(t, sim.Explore(t, o, withPods(2, between(true))).Findings, "seed %d", seed)
	}
}
