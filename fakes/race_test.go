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
	o := sim.Options{Schedules: 25, Seeds: 20}
	for _, s := range sim.ExploreSeeds(t, o, withPods(2, between(false))) {
		require.Len(t, s.Findings, 1, "seed %d", s.Seed)
		require.Equal(t, "data-race", s.Findings[0].Kind)
		require.Equal(t, s.Schedules, s.Findings[0].Times, "seed %d", s.Seed)
	}
	for _, s := range sim.ExploreSeeds(t, o, withPods(2, between(true))) {
		require.Empty(t, s.Findings, "seed %d", s.Seed)
	}
}
