package sim_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/snapstorm/snapstorm/sim"
)

// TestTickerLoopEnds: a loop that looks at its context at each tick ends at the next one after an orderly stop, which is no
// leak, however long the ticks are.
func TestTickerLoopEnds(t *testing.T) {
	for _, period := range []time.Duration{time.Millisecond, time.Second, 10 * time.Minute} {
		t.Run(period.String(), func(t *testing.T) {
			s := sim.Explore(t, sim.Options{Schedules: 5}, program(func(ctx context.Context) {
				ticker := time.NewTicker(period)
				defer ticker.Stop()
				for range ticker.C {
					if ctx.Err() != nil {
						return
					}
				}
			}))
			assert.Empty(t, s.Findings)
		})
	}
}
