package monitor_test

import (
	"testing"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/sim"
)

// BenchmarkStorm is one world of TestStorm.
func BenchmarkStorm(b *testing.B) {
	m, err := fakes.ReadManifests(*clusterFile)
	if err != nil {
		b.Fatal(err)
	}
	sim.Bench(b, sim.Options{Horizon: horizon}, restarts(m.Objects, 3))
}
