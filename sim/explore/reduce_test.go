package explore

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var smallPrograms = flag.Int("programs", 30, "random programs to search, whole and reduced")

// largest is how many worlds a program may take to be searched whole.
const largest = 800

// hardPrograms are the seeds of those that show, each, that something is missing in the reduction: a lock that is waited for while
// time passes, who shares a lock, what a select lets go of, a context that ends, a switch after a rest, who goes on instead.
var hardPrograms = []uint64{462, 563, 600, 1036, 1037, 1190, 1352, 1503, 2637}

// TestReducedSearchReachesAllFinalStates: on random small programs the reduced search reaches exactly the final states that
// the whole one does, within each bound.
func TestReducedSearchReachesAllFinalStates(t *testing.T) {
	whole, reduced := 0, 0
	for seed := range uint64(*smallPrograms + len(hardPrograms)) {
		if seed >= uint64(*smallPrograms) {
			seed = hardPrograms[seed-uint64(*smallPrograms)]
		}
		p := randomProgram(rand.New(rand.NewPCG(seed, 1)))
		for preemptions := range 3 {
			want, n := p.finals(t, Bound{Preemptions: preemptions, Whole: true}, largest)
			if n == largest {
				break
			}
			got, m := p.finals(t, Bound{Preemptions: preemptions}, largest)
			require.Equal(t, want, got, "seed %d, %d preemptions: %+v", seed, preemptions, p)
			whole, reduced = whole+n, reduced+m
		}
	}
	t.Logf("%d programs: %d worlds whole, %d reduced", *smallPrograms, whole, reduced)
	require.Less(t, 2*reduced, whole)
}
