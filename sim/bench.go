package sim

import (
	"fmt"
	"testing"
)

// Bench runs b.N worlds of the scenario, each under another schedule of the random walk, in this process, and reports
// steps and worlds per second. A finding fails the benchmark.
func Bench(b *testing.B, o Options, scenario func(*World)) {
	b.Helper()
	if mode == plain {
		b.Fatal("this test binary is not instrumented: its package needs func TestMain(m *testing.M) { sim.Main(m) }")
	}
	s := &server{options: o, scenario: scenario, test: b.Name(), welcome: welcome{Points: flags.points}}
	steps := 0
	var failed error
	everything := func(string, string) (bool, error) { return true, nil }
	b.ResetTimer()
	// Only package testing can make the *testing.T that a synctest bubble wants.
	testing.RunTests(everything, []testing.InternalTest{{Name: b.Name(), F: func(t *testing.T) {
		for i := range b.N {
			r, err := s.result(t, request{Strategy: "random", Seed: 1, Schedule: i + 1}, false)
			if len(r.Findings) > 0 {
				err = fmt.Errorf("schedule %d: %s", i+1, r.Findings[0].Summary)
			}
			if err != nil {
				failed = err
				return
			}
			steps += r.Steps
		}
	}}})
	b.StopTimer()
	if failed != nil {
		b.Fatal(failed)
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "schedules/s")
}
