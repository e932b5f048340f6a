package monitor_test

import (
	"testing"

	"github.com/snapstorm/snapstorm/sim"
)

// BenchmarkStorm is one world of TestStorm.
func BenchmarkStorm(b *testing.B) {
	sim.Bench(b, sim.Options{Horizon: horizon}, restarts(manifests(*clusterFile), 3))
}
