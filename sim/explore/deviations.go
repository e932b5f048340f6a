package explore

import (
	"encoding/binary"
	"slices"

	"github.com/snapstorm/snapstorm/sim/sched"
	"github.com/snapstorm/snapstorm/sim/tape"
)

// Deviation is one answer that is not 0.
type Deviation struct {
	Asker    string // whose questions are counted, as on tapes; "" counts all
	Question int    // its number among those of the world, from 0
	Answer   int    // from 1 on; where there are fewer answers, counting goes round
}

// countable are the values of Deviation.Asker. Bytes holds their numbers.
var countable = append([]string{""}, sched.AskerNames[:]...)

// Deviating answers 0 to all questions but those of a short list. It is what generators of values make schedules of: most of
// what they change of such a list changes the world a little, and a shorter list makes a duller world, which they shrink towards.
type Deviating struct {
	answers map[question]int
	asked   map[string]int
}

// question is the n-th of an asker, or of all.
type question struct {
	asker string
	n     int
}

// NewDeviating returns the strategy of a list, in any order. Of two deviations at one question, the first counts, and one of
// an asker before one of all.
func NewDeviating(list []Deviation) *Deviating {
	d := &Deviating{map[question]int{}, map[string]int{}}
	for _, v := range list {
		if at := (question{v.Asker, v.Question}); d.answers[at] == 0 {
			d.answers[at] = v.Answer
		}
	}
	return d
}

// Choose implements sched.Chooser.
func (d *Deviating) Choose(q sched.Question) int {
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
func OfTape(entries []tape.Entry) []Deviation {
	var list []Deviation
	for _, e := range entries {
		list = append(list, Deviation{Question: e.Index, Answer: e.Answer})
	}
	return list
}

// Bytes writes a list so that every string of bytes is one, and none is the empty list: for each deviation two unsigned
// varints, which are mostly one byte each: its question, and its answer with the asker.
func Bytes(list []Deviation) []byte {
	b := []byte{}
	for _, v := range list {
		b = binary.AppendUvarint(b, uint64(v.Question))
		b = binary.AppendUvarint(b, uint64((v.Answer-1)*len(countable)+slices.Index(countable, v.Asker)))
	}
	return b
}

// OfBytes reads any bytes as a list. What is cut off at the end counts as 0.
func OfBytes(b []byte) []Deviation {
	var list []Deviation
	for len(b) > 0 {
		var v Deviation
		var answer int
		v.Question, b = number(b)
		answer, b = number(b)
		v.Asker, v.Answer = countable[answer%len(countable)], 1+answer/len(countable)
		list = append(list, v)
	}
	return list
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
