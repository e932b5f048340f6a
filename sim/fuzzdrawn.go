package sim

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/snapstorm/snapstorm/sim/explore"
)

// FuzzDrawn is [Fuzz] for a scenario that takes a value, as that of [Rapid] does. An input has two parts: what the value is
// drawn from, a byte for each thing that rapid decides, and the answers. Both may be changed in any way, and are dull where
// they end: of no bytes at all rapid draws the value to which it shrinks all others.
//
// The seed corpus is the dullest value, some others, and those of the tapes in testdata/tapes that have a value of this type,
// whether this test found them or one that calls Rapid. A value that takes more than some thousand decisions is not run. Of the
// options, Horizon and MaxSteps matter.
//
//	func FuzzCrowd(f *testing.F) { sim.FuzzDrawn(f, sim.Options{}, crowds, func(w *sim.World, c crowd) { … }) }
func FuzzDrawn[V any](f *testing.F, o Options, values *rapid.Generator[V], scenario func(*World, V)) {
	f.Helper()
	wantTwin()
	known := addTapes[V](f)
	f.Add([]byte{}, []byte{})
	for i := range drawnSeeds {
		f.Add(noise(i), explore.Bytes(explore.Detours(usualSwitches).Example(i)))
	}
	z := newFuzzing(f, func(w *World) { scenario(w, ofJSON[V](w.drawn)) })
	z.options = o
	defer z.close()
	f.Fuzz(func(t *testing.T, value, schedule []byte) {
		t.Helper()
		text := string(value)
		if !slices.Contains(known, text) {
			rapid.MakeFuzz(func(rt *rapid.T) { text = toJSON(values.Draw(rt, "value")) })(t, decisions(value))
		}
		z.run(t, text, schedule)
	})
}

// drawnSeeds is how many values the seed corpus has beside the dullest one, and noiseBytes what each is drawn from.
const drawnSeeds, noiseBytes = 8, 128

// addTapes adds the values and answers of tapes to the seed corpus. Such a value is not drawn but read, so it returns the texts
// that mean themselves.
func addTapes[V any](f *testing.F) (known []string) {
	for _, t := range tapes() {
		var v V
		strict := json.NewDecoder(strings.NewReader(t.Drawn))
		strict.DisallowUnknownFields()
		if strict.Decode(&v) == nil {
			known = append(known, t.Drawn)
			f.Add([]byte(t.Drawn), explore.Bytes(explore.OfTape(t.Entries)))
		}
	}
	return known
}

// noise are the bytes of one seed.
func noise(seed int) []byte {
	random, b := rand.New(rand.NewPCG(uint64(seed), 1)), make([]byte, noiseBytes)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

// maxDecisions bounds what rapid decides for one value.
const maxDecisions = 4096

// decisions are what rapid reads, eight bytes for each decision, of which it takes the lower ones or, for a fraction, the
// upper ones: so one byte of the input fills them all. After the end of the input they are 0, the dullest, as '0' is there.
func decisions(input []byte) []byte {
	words := make([]byte, 8*maxDecisions)
	for i, b := range input[:min(len(input), maxDecisions)] {
		for k := range 8 {
			words[8*i+k] = b ^ '0'
		}
	}
	return words
}
