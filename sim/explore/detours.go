package explore

import (
	"encoding/binary"
	"slices"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// Detour is one answer that is not 0.
type Detour struct {
	Asker    string // whose questions are counted, as on tapes; "" counts all
	Question int    // its number among those of the world, from 0
	Answer   int    // from 1 on; where there are fewer answers, counting goes round
}

// countable are the values of Detour.Asker. Bytes holds their numbers.
var countable = append([]string{""}, sched.AskerNames[:]...)

// Detouring answers 0 to all questions but those of a short list. It is what generators of values make schedules of: most of
// what they change of such a list changes the world a little, and a shorter list makes a duller world, which they shrink towards.
type Detouring struct {
	answers map[question]int
	asked   map[string]int
}

// question is the n-th of an asker, or of all.
type question struct {
	asker string
	n     int
}

// NewDetouring returns the strategy of a list, in any order. Of two detours at one question, the first counts, and one of
// an asker before one of all.
func NewDetouring(list []Detour) *Detouring {
	d := &Detouring{map[question]int{}, map[string]int{}}
	for _, v := range list {
		if at := (question{v.Asker, v.Question}); d.answers[at] == 0 {
			d.answers[at] = v.Answer
		}
	}
	return d
}

// Choose implements sched.Chooser.
func (d *Detouring) Choose(q sched.Question) int {
	answer := 0
	for _, asker := range []string{sched.AskerNames[q.Asker], ""} {
		if answer == 0 {
			answer = d.answers[question{asker, d.asked[asker]}]
		}
		d.asked[asker]++
	}
	if answer == 0 {
		return 0
	}
	return 1 + (answer-1)%(q.N-1)
}

// OfTape lists the answers of a tape.
func OfTape(entries []tape.Entry) []Detour {
	var list []Detour
	for _, e := range entries {
		list = append(list, Detour{Question: e.Index, Answer: e.Answer})
	}
	return list
}

// Bytes writes a list so that every string of bytes is one, and none is the empty list: for each detour two unsigned
// varints, which are mostly one byte each: how many questions of its asker are skipped since the last detour among them,
// and its answer with the asker. So to repeat some bytes goes on with a pattern, and to add some at the end changes nothing
// before. The bits of '0' are turned around in each byte: the engine of go test likes inputs to be legible, and prefers zeros.
func Bytes(list []Detour) []byte {
	b, next := []byte{}, map[string]int{}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b Detour) int { return a.Question - b.Question })
	for _, v := range sorted {
		if v.Question < next[v.Asker] {
			continue // there was one at that question
		}
		b = binary.AppendUvarint(b, uint64(v.Question-next[v.Asker]))
		b = binary.AppendUvarint(b, uint64((v.Answer-1)*len(countable)+slices.Index(countable, v.Asker)))
		next[v.Asker] = v.Question + 1
	}
	return legible(b)
}

// OfBytes reads any bytes as a list. What is cut off at the end counts as 0.
func OfBytes(b []byte) []Detour {
	var list []Detour
	next := map[string]int{}
	b = legible(b)
	for len(b) > 0 {
		var skipped, answer int
		skipped, b = number(b)
		answer, b = number(b)
		asker := countable[answer%len(countable)]
		v := Detour{asker, next[asker] + skipped, 1 + answer/len(countable)}
		next[asker] = v.Question + 1
		list = append(list, v)
	}
	return list
}

// legible turns small numbers into digits, and back.
func legible(b []byte) []byte {
	other := make([]byte, len(b))
	for i := range b {
		other[i] = b[i] ^ '0'
	}
	return other
}

// maxNumber bounds what is read from bytes: no world asks more questions.
const maxNumber = 1 << 24

func number(b []byte) (int, []byte) {
	v, n := binary.Uvarint(b)
	if n <= 0 { // cut off, or too long for any number
		return 0, nil
	}
	return int(v % maxNumber), b[n:]
}
