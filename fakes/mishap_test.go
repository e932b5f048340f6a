package fakes_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/sim"
)

type program func(context.Context, kubernetes.Interface, *slog.Logger)

// under runs a program in a cluster of four pods with faults.
func under(t *testing.T, f fakes.Faults, main program) sim.Summary {
	t.Helper()
	return sim.Explore(t, sim.Options{Schedules: 100}, func(w *sim.World) {
		cluster := fakes.NewCluster(fakes.Options{Faults: f})
		addPods(cluster, 4)
		w.Start(sim.Program{Name: "program", Main: func(ctx context.Context) { main(ctx, cluster.Clients().Kubernetes, w.Logger()) }})
		w.Settled("Bounded: no more goes wrong than may", func() error {
			if s := cluster.Stats(); s.Mishaps > f.Mishaps {
				return assert.AnError
			}
			return nil
		})
	})
}

// TestMishapsAreBounded: also when several calls ask at the same time.
func TestMishapsAreBounded(t *testing.T) {
	s := under(t, fakes.Faults{Mishaps: 1}, func(ctx context.Context, client kubernetes.Interface, _ *slog.Logger) {
		for range 4 {
			go func() { _, _ = client.CoreV1().Pods("default").Get(ctx, "pod-0", metav1.GetOptions{}) }()
		}
	})
	assert.Empty(t, s.Findings)
}

// TestTryingAgainOutlivesAnOutage: a loop without a pause ends with the outage, for each try takes time.
func TestTryingAgainOutlivesAnOutage(t *testing.T) {
	f := fakes.Faults{Mishaps: 1, MishapKinds: []fakes.Mishap{fakes.Unreachable}}
	s := under(t, f, func(ctx context.Context, client kubernetes.Interface, _ *slog.Logger) {
		for tries := 0; ; tries++ {
			if _, err := client.CoreV1().Pods("default").Get(ctx, "pod-0", metav1.GetOptions{}); err == nil {
				return
			}
			if tries > 10 {
				time.Sleep(time.Second) // the longest outage is five minutes
			}
		}
	})
	assert.Empty(t, s.Findings)
	assert.Positive(t, s.Occurred[string(fakes.Unreachable)])
}

// TestCancelledCallsReturn: whoever cancels a call does not wait for it much longer.
func TestCancelledCallsReturn(t *testing.T) {
	f := fakes.Faults{Mishaps: 1, MishapKinds: []fakes.Mishap{fakes.TimeoutBefore, fakes.SlowCall}}
	s := under(t, f, func(ctx context.Context, client kubernetes.Interface, _ *slog.Logger) {
		ctx, cancel := context.WithCancel(ctx)
		began := time.Now()
		go func() {
			time.Sleep(time.Second)
			cancel()
		}()
		_, err := client.CoreV1().Pods("default").Get(ctx, "pod-0", metav1.GetOptions{})
		if took := time.Since(began); err != nil && took > 15*time.Second {
			panic("it took " + took.String())
		}
	})
	assert.Empty(t, s.Findings)
}

// TestNoAnswer: a call without an answer ends with its context, whether that has a deadline or is cancelled.
func TestNoAnswer(t *testing.T) {
	f := fakes.Faults{Mishaps: 2, MishapKinds: []fakes.Mishap{fakes.NoAnswer}}
	s := under(t, f, func(ctx context.Context, client kubernetes.Interface, _ *slog.Logger) {
		for _, bound := range []time.Duration{20 * time.Second, 24 * time.Hour} {
			ctx, cancel := context.WithTimeout(ctx, bound)
			go func() {
				time.Sleep(time.Minute)
				cancel()
			}()
			began := time.Now()
			_, err := client.CoreV1().Pods("default").Get(ctx, "pod-0", metav1.GetOptions{})
			if took := time.Since(began); err != nil && took < min(bound, time.Minute) {
				panic("it took only " + took.String())
			}
			if took := time.Since(began); took > 2*time.Minute {
				panic("it took " + took.String())
			}
		}
	})
	assert.Empty(t, s.Findings)
	assert.Positive(t, s.Occurred[string(fakes.NoAnswer)])
}

// TestCacheReadsDoNotExpire: what the server's cache answers is old, but never too old.
func TestCacheReadsDoNotExpire(t *testing.T) {
	s := under(t, fakes.Faults{StaleReads: 2, Compactions: 1}, func(ctx context.Context, client kubernetes.Interface, _ *slog.Logger) {
		for _, value := range []string{"a", "b", "c"} {
			label(ctx, client, "pod-0", value)
			_, err := client.CoreV1().Pods("default").List(ctx, metav1.ListOptions{ResourceVersion: "0"})
			if apierrors.IsResourceExpired(err) {
				panic(err)
			}
		}
	})
	assert.Empty(t, s.Findings)
	assert.Positive(t, s.Occurred["stale read"])
}

// TestNothingGoesWrongAfterCalm: what a cluster may do wrong, it does before.
func TestNothingGoesWrongAfterCalm(t *testing.T) {
	faulty := map[bool]int{}
	for _, calm := range []bool{false, true} {
		s := sim.Explore(t, sim.Options{Schedules: 20}, func(w *sim.World) {
			cluster := fakes.NewCluster(fakes.Options{Faults: fakes.Faults{Mishaps: 10, StaleReads: 10}})
			addPods(cluster, 4)
			if calm {
				cluster.Calm()
			}
			w.Start(sim.Program{Name: "program", Main: func(ctx context.Context) {
				for range 4 {
					_, _ = cluster.Clients().Kubernetes.CoreV1().Pods("default").Get(ctx, "pod-0", metav1.GetOptions{ResourceVersion: "0"})
				}
			}})
		})
		for _, n := range s.Occurred {
			faulty[calm] += n
		}
	}
	assert.Positive(t, faulty[false])
	assert.Zero(t, faulty[true])
}
