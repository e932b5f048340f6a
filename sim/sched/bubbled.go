package sched

import "unsafe"

// A channel that was made outside of the world's bubble, such as one in a package variable, must not be blocked in: the
// bubble would not count that as blocked, and wait for ever. The runtime keeps a channel's bubble in its header.
//
// hchan, runtime/chan.go of Go 1.26: qcount, dataqsiz, buf, elemsize+closed, timer, elemtype, sendx, recvx, recvq (2 words),
// sendq (2 words), bubble.
const (
	lengthWordOfChannel    = 0
	capacityWordOfChannel  = 1
	closedWordOfChannel    = 3 // its upper half
	timerWordOfChannel     = 4
	receiversWordOfChannel = 8
	sendersWordOfChannel   = 10
	bubbleWordOfChannel    = 12
)

// outsideChannel was made before any bubble.
var outsideChannel = make(chan struct{})

//go:norace
func wordOf(p unsafe.Pointer, word int) uintptr {
	return *(*uintptr)(unsafe.Add(p, uintptr(word)*unsafe.Sizeof(uintptr(0))))
}

// learnBubble finds out what the header of a channel of this bubble looks like. It leaves zero where it cannot tell, on
// another version of the runtime: then every channel is taken for one of the bubble.
//
//go:norace
func (w *World) learnBubble() {
	a, b := make(chan struct{}), make(chan int, 3)
	own := wordOf(PointerOf(&a), bubbleWordOfChannel)
	if own != 0 && own == wordOf(PointerOf(&b), bubbleWordOfChannel) && wordOf(PointerOf(&outsideChannel), bubbleWordOfChannel) == 0 {
		w.channelWord = own
	}
}

// Outside says whether the channel at p was made outside of any bubble. One of an earlier world's bubble, which a package
// variable kept, cannot be used at all: the runtime would end the process, so survived does, with a word about it.
//
//go:norace
func (t *Task) Outside(p unsafe.Pointer) bool {
	if p == nil || t.world.channelWord == 0 {
		return false
	}
	word := wordOf(p, bubbleWordOfChannel)
	if word != 0 && word != t.world.channelWord {
		t.world.survived(t)
	}
	return word == 0
}

// Ready says whether the operation of a case on a channel would not block now. Where that cannot be told, it says that.
//
//go:norace
func (t *Task) Ready(k Kind, p unsafe.Pointer) bool {
	switch {
	case p == nil:
		return false
	case t.world.channelWord == 0 || wordOf(p, timerWordOfChannel) != 0 || wordOf(p, closedWordOfChannel)>>32 != 0:
		return true
	case k == Send:
		return wordOf(p, lengthWordOfChannel) < wordOf(p, capacityWordOfChannel) || wordOf(p, receiversWordOfChannel) != 0
	}
	return wordOf(p, lengthWordOfChannel) > 0 || wordOf(p, sendersWordOfChannel) != 0
}

// CouldBe notes that the select that t is in could have answered its question with these cases, one bit each.
//
//go:norace
func (t *Task) CouldBe(cases uint64) {
	if r := &t.world.choices; t.question > 0 {
		r.at(t.question - 1).Ready |= cases
	}
}

// OnSurvivor is called when a task uses a channel that an earlier world made. It must not return.
var OnSurvivor = func(what string) { panic(what) }

func (w *World) survived(t *Task) {
	OnSurvivor("a channel that an earlier world made: " + t.op.Site.Op + " at " + t.op.Site.Position())
}

// Poll parks the task until another task has taken a step, to try its last operation again: what it waits for cannot wake
// it. It is enabled only after such a step, so a world in which all others are done gets quiet. It returns true if another
// task came to meet it: then both do the operation natively, each the other's partner, and t must Unblock.
//
//go:norace
func (t *Task) Poll() (met bool) {
	op := t.op
	if op.Kind != Poll {
		op.Kind, op.as = Poll, op.Kind
	}
	op.N = t.world.progress
	t.op, t.meets = op, false
	t.world.parkAs(t)
	return t.meets
}

// Meet looks for a task that tries the given operation on the channel at p again and again, and wakes it to do it now,
// beside t: two tasks that only try never meet in a channel without a buffer.
//
//go:norace
func (t *Task) Meet(p unsafe.Pointer, k Kind) bool {
	for _, other := range t.world.live {
		if other.state == parked && other.op.Kind == Poll && other.op.as == k && other.op.Object == p && !other.dying {
			other.meets, other.state = true, blocked
			hide()
			other.wake <- struct{}{}
			unhide()
			return true
		}
	}
	return false
}
