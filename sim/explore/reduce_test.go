package explore

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var smallPrograms = flag.Int("programs", 100, "random programs to search, whole and reduced")

// TestReducedSearchReachesAllFinalStates: on random small programs the reduced search reaches exactly the final states that
// the whole one does, within each bound.
func TestReducedSearchReachesAllFinalStates(t *testing.T) {
	const most = 3000
	programs, whole, reduced := 0, 0, 0
	for seed := uint64(1); programs < *smallPrograms; seed++ {
		p := randomProgram(rand.New(rand.NewPCG(seed, 1)))
		for preemptions := range 3 {
			want, _, n := p.finals(t, Bound{Preemptions: preemptions, Whole: true}, most)
			if n == most {
				break // too large to be searched whole
			}
			got, _, m := p.finals(t, Bound{Preemptions: preemptions}, most)
			require.Equal(t, want, got, "seed %d, %d preemptions: %+v", seed, preemptions, p)
			programs++
			whole, reduced = whole+n, reduced+m
		}
	}
	fmt.Printf("%d programs and bounds: %d worlds reduced, %d whole\n", programs, reduced, whole)
}
