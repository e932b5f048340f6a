package monitor_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/monitor"
	"github.com/snapstorm/snapstorm/sim"
)

// lives are how long a run of the monitor may last before it is told to stop: in the midst of things, or not at all.
var lives = []time.Duration{10 * horizon, time.Second, 45 * time.Second, 20 * time.Minute}

// TestStops tells the monitor to stop, as a rollout does, whatever it is about to do: also while it waits for an API server
// that never answers, and with pods whose containers do not stop.
func TestStops(t *testing.T) {
	objects := manifests("../testdata/clusters/several.json")
	sim.CheckWith(t, sim.Options{Schedules: 50, Horizon: horizon, Lag: time.Second}, func(w *sim.World) {
		var chosen []time.Duration
		for i := range 3 {
			chosen = append(chosen, lives[w.Choose(fmt.Sprint("life ", i+1), len(lives))])
		}
		plane := controlPlane()
		plane.Faults.MishapKinds = []fakes.Mishap{fakes.NoAnswer, fakes.ServerError}
		plane.StopDelays = []time.Duration{0, time.Second, deadline + 2*patience}
		scenario{
			objects: objects,
			plane:   plane,
			user:    func(ctx context.Context, cluster *fakes.Cluster) { cluster.User(ctx, user) },
			config:  monitor.Config{Deadline: deadline},
			run: func(ctx context.Context, w *sim.World, cluster *fakes.Cluster, config monitor.Config) {
				for _, life := range chosen {
					live(ctx, w, cluster, config, life)
				}
				run(ctx, w, cluster, config)
			},
		}.play(w)
	})
}

// prompt is how long Run may take to return: some steps, each of which the scheduler may keep waiting for a second. It is less
// than a call takes that is given up.
const prompt = 20 * time.Second

// live runs the monitor for some time, and judges how it stops.
func live(ctx context.Context, w *sim.World, cluster *fakes.Cluster, config monitor.Config, life time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, life)
	defer cancel()
	began := time.Now()
	run(ctx, w, cluster, config)
	if took := time.Since(began); took > life+prompt {
		panic(fmt.Sprintf("Run returned %v after its context had ended", took-life))
	}
	if n := running.Load().Waiting(); n > 0 && noResidue.wanted() {
		panic(noResidue.broken("it has %d entries after Run has returned", n))
	}
}
