package kube_test

import (
	"context"
	"testing"
	"time"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/sim"
	"github.com/snapstorm/snapstorm/testdata/kernels/check"
	"github.com/snapstorm/snapstorm/testdata/kernels/kube"
)

func TestMain(m *testing.M) { sim.Main(m) }

// horizon is longer than any wait of a kernel. A longer one would be filled with the ticks of idle workqueues.
const horizon = 3 * time.Minute

func TestKernels(t *testing.T) { check.Find(t, subjects()) }

func TestRepeat(t *testing.T) { check.Repeat(t, subjects()) }

func TestBugs(t *testing.T) { check.Bugs(t, subjects()) }

func TestTwins(t *testing.T) { check.Twins(t, subjects()) }

func subjects() []check.Subject {
	var all []check.Subject
	for _, k := range kube.All() {
		all = append(all, check.Subject{
			Name: k.Name, Want: k.Want, Bug: scenario(k, k.Bug), Fixed: scenario(k, k.Fixed),
			Schedules: k.Schedules, MaxSteps: k.MaxSteps, Horizon: horizon,
		})
	}
	return all
}

// scenario is a kernel in its cluster, with main as its program.
func scenario(k kube.Kernel, main func(context.Context, kube.Env)) func(*sim.World) {
	return func(w *sim.World) {
		cluster, err := kube.NewCluster(k.Faults)
		if err != nil {
			panic(err)
		}
		w.Start(sim.Program{Name: k.Name, Crashes: k.Crashes, Main: func(ctx context.Context) {
			e := env(w, cluster)
			e.Informers = cluster.Informers()
			main(ctx, e)
		}})
		if k.Others != nil {
			w.Go("others", func(ctx context.Context) { k.Others(ctx, env(w, cluster)) })
		}
		if k.Holds != nil {
			w.Settled(k.Name, func() error { return k.Holds(cluster) })
		}
	}
}

func env(w *sim.World, c *fakes.Cluster) kube.Env {
	clients := c.Clients()
	return kube.Env{Kubernetes: clients.Kubernetes, Snapshots: clients.Snapshots, Log: w.Logger()}
}
