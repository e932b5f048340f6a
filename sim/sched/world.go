package sched

import (
	"math"
	"sync"
	"testing/synctest"
	"time"
)

// Options bound a world. All bounds are counts or virtual time.
type Options struct {
	Level    Level
	MaxSteps int           // a world that takes more steps is a livelock; 0 means 200,000; see also maxIdles
	Horizon  time.Duration // a world is quiescent when nobody is enabled and nothing had an effect for so long; 0 means 1 h
	Lag      time.Duration // how long a task that could go on may be kept waiting while time passes; 0 means 10 s
	Trace    bool          // keep every step, for a report
	Moves    bool          // keep what every step used, for a search that leaves out what commutes
	Without  Mechanisms    // for the scheduler's own tests
}

// World is one simulated execution. It lives in one synctest bubble; the goroutine that calls Run is its root.
type World struct {
	options Options
	chooser Chooser

	// Shared with tasks, in functions that the race detector does not look at.
	running  *Task // who holds the token
	last     *Task // who held it last
	streak   int   // how many steps in a row
	newborn  []*Task
	adopted  []*Task
	objects  objects
	registry registry
	hash     uint64
	effects  int
	findings []Finding
	counts   []Count
	over     bool // a finding that nothing can go on after
	reached  bool // some point was reached
	trace    []Event
	numbered int // objects of the trace
	current  int // the event of what happens now: its index in the trace, plus 1; 0 if nothing is traced
	nextID   int
	progress int // steps of tasks that do not just try again
	footprint
	arrivals sync.Mutex
	deaths   byte // its address orders dying tasks
	ready    chan struct{}

	// The root's own.
	rootGoid    int64
	channelWord uintptr // see learnBubble
	bubble      int
	live        []*Task
	names       []string // of all tasks, by id
	candidates  []*Task
	choices     record
	processes   []*Process
	timer       *time.Timer // made before anything is hidden: to make one initialises package time
	actors      *Process
	steps       int
	began       int64
	clock       int64 // the virtual time of the current step
	quiet       quiet
	stallEnd    int64 // of the stall that ends last
	deadlines   []int64
	abandoned   int
	lastLook    int
	ended       bool
	clash       [2]*Task // about to touch one map
	onEffect    func()
	probe       func() bool
	culprit     Culprit
	left        left
	stopped     int // see Result.Stop
	observed    int // effects when onEffect was called last
}

// New prepares a world whose choices are made by chooser. It must be called on the root goroutine of the bubble that the
// world is to live in; until Run returns, no other world may run in this process.
func New(o Options, chooser Chooser) *World {
	if o.MaxSteps == 0 {
		o.MaxSteps = 200_000
	}
	if o.Lag == 0 {
		o.Lag = 10 * time.Second
	}
	if o.Horizon == 0 {
		o.Horizon = time.Hour
	}
	w := &World{options: o, stopped: math.MaxInt, chooser: chooser, hash: fnvOffset, ready: make(chan struct{}, 1)}
	w.rootGoid, w.bubble = currentGoid(), bubble()
	w.actors = w.newProcess("world", nil, 0)
	w.learnBubble()
	w.began = now()
	w.clock = w.began
	w.quietFromNow()
	w.timer = time.NewTimer(time.Hour)
	without = o.Without
	w.activate(w)
	return w
}

//go:norace
func (w *World) activate(a *World) { active = a }

func now() int64 { return time.Now().UnixNano() }

// Ask lets the scenario make a choice during set-up.
func (w *World) Ask(label string, n int) int {
	return w.ask(Question{Asker: AskSetup, Label: label, N: n}, nil)
}

// OnEffect registers f to be called on the root after each step that had an effect. It may read only what locks guard:
// there is no edge from the tasks to it, or races would be hidden.
func (w *World) OnEffect(f func()) { w.onEffect = f }

// Run schedules until the world is quiescent, or over because of a finding. Settled, if not nil, is called on the root
// when the world is quiescent, but not when it is over, before its processes are told to stop; after that every task that is still there is a
// leak. Then everything that is left is unwound.
func (w *World) Run(settled func()) {
	defer w.End()
	for _, p := range w.processes {
		w.start(p)
	}
	w.untilQuiescent()
	for !w.over && w.crashOwed() {
		w.untilQuiescent()
	}
	if w.options.Moves {
		w.keepPending()
	}
	synctest.Wait() // in plain sight: the checks read what tasks wrote
	if !w.over {
		w.checkStuck()
	}
	if settled != nil && !w.over {
		settled()
	}
	if !w.over {
		w.stopAll()
		w.untilQuiescent()
		w.checkLeaks()
	}
}

// End unwinds every task that is left. Run does it; a scenario that fails before Run must do it itself.
func (w *World) End() {
	if !w.ended {
		w.ended = true
		w.killAll()
		w.activate(nil)
	}
}

// untilQuiescent runs steps until nobody can take one any more.
func (w *World) untilQuiescent() {
	for {
		w.reap()
		hide()
		w.settle()
		unhide()
		w.lookAround()
		w.look()
		switch {
		case w.over:
			return
		case w.onEffect != nil && w.observed != w.effects:
			w.observed = w.effects
			w.onEffect()
		case len(w.candidates) > 0:
			w.step()
		case !w.idle():
			return
		}
	}
}

// lookAround reports what can be seen as soon as a step is done: two tasks about to touch one map, and a deadlock of some
// tasks while others can go on.
func (w *World) lookAround() {
	if w.clash[0] != nil {
		w.reportClash()
	}
	if t := w.last; t != nil && t.op.Kind.waits() && t.isBlocked() && w.cycle(t) != nil {
		synctest.Wait() // in plain sight: the text is made of strings that tasks wrote
		w.Report(w.deadlock(w.cycle(t)))
		w.over = true
	}
}

// settle waits until every goroutine of the bubble is parked or blocked, and collects who can go on.
//
//go:norace
func (w *World) settle() {
	synctest.Wait()
	waker := 0
	if t := w.running; t != nil {
		waker = w.current
		w.last = t
		w.endMove()
		w.running = nil
		if t.state == running {
			t.state = outside
		}
	}
	w.welcome()
	w.collect()
	if w.options.Trace {
		w.credit(waker)
	}
}

// welcome takes in the tasks that were born or adopted during the last step.
//
//go:norace
func (w *World) welcome() {
	for _, t := range w.newborn {
		w.names = append(w.names, t.name)
		w.live = push(w.live, t)
		w.registry.add(t)
	}
	w.newborn = w.newborn[:0]
	for _, t := range w.adopted {
		t.id = w.nextID
		w.nextID++
		t.proc.children++
		t.name = t.proc.label() + ".adopted" + itoa(t.proc.children)
		w.names = append(w.names, t.name)
		w.live = push(w.live, t)
		t.past = mixString(fnvOffset, t.name)
		w.registry.add(t)
	}
	w.adopted = w.adopted[:0]
}

// collect lists the enabled tasks, the dullest first: the one that ran last unless it spins, then by id.
//
//go:norace
func (w *World) collect() {
	enabled, kept := w.candidates[:0], w.live[:0]
	front := false
	clock := int64(-1)
	for _, t := range w.live {
		if t.state == done {
			continue
		}
		kept = push(kept, t)
		if t.state != parked {
			continue
		}
		if t == w.last && (t.op.Kind == MapRead || t.op.Kind == MapWrite) {
			w.checkMap(t)
		}
		if t.op.Kind == Sleep && !t.returning {
			if clock < 0 {
				clock = now()
			}
			t.enabled = t.op.Until <= clock
		}
		if t.op.Kind == Poll {
			t.enabled = t.op.N < w.progress
		}
		if (t.enabled || t.returning) && t.proc.stalledUntil <= w.clock {
			if t.since == 0 {
				t.since = w.clock
				w.enabledNow(t)
			}
			front = front || t == w.last
			enabled = push(enabled, t)
		}
	}
	clear(w.live[len(kept):])
	w.live, w.candidates = kept, enabled
	if front {
		w.promote()
	}
}

// promote moves the task that ran last to the front, or to the back if it spins.
//
//go:norace
func (w *World) promote() {
	c, t := w.candidates, w.last
	i := 0
	for c[i] != t {
		i++
	}
	if t.yielded {
		for ; i < len(c)-1; i++ {
			c[i] = c[i+1]
		}
	} else {
		for ; i > 0; i-- {
			c[i] = c[i-1]
		}
	}
	c[i] = t
}

// step lets one of the candidates take its next step.
func (w *World) step() {
	if w.steps++; w.steps > w.options.MaxSteps {
		w.livelock()
		return
	}
	w.passTime()
	choice := w.choices.n
	t := w.candidates[w.ask(Question{Asker: AskSwitch, N: len(w.candidates), Tasks: w.candidates}, nil)]
	if w.crashHere(t) || w.stallHere(t) {
		return
	}
	if w.options.Moves {
		w.keepMove(t, choice)
	}
	w.grant(t)
}

// longStreak is how many steps in a row a task takes at most while answer 0 is given and others could go on: a loop that
// looks at memory again and again would never see what it waits for, and no machine keeps the others waiting for ever.
const longStreak = 1000

// tooLong says whether t is to be preferred no more. It counts the steps that it has taken in a row.
//
//go:norace
func (w *World) tooLong(t *Task) bool {
	if t != w.last {
		w.streak = 0
	}
	w.streak++
	return w.streak%longStreak == 0
}

// grant hands the token to t and waits for nothing: settle does.
//
//go:norace
func (w *World) grant(t *Task) {
	if t.op.N > 1 && !t.returning {
		switch t.op.Kind {
		case Select, RangeMap:
			t.answer = w.ask(Question{Asker: AskCase, N: t.op.N}, t)
			t.question = w.choices.n
		case Ask:
			t.answer = w.ask(Question{Asker: AskFault, Label: t.op.Verb, N: t.op.N, Rare: t.op.Rare}, t)
		}
	}
	w.beginMove(t)
	if w.probe != nil {
		w.left = left{t.op.Site, t.describe(), t.event}
	}
	w.hash = mix(w.hash, t.op.Site.sum()+uint64(t.id))
	if w.options.Trace {
		w.traceStep(t)
	}
	if t.op.Kind.waits() && !t.returning {
		w.object(t.op.Object).leave(t)
	}
	if t.op.Kind != Poll {
		w.progress++
	}
	t.steps++
	t.yielded = w.tooLong(t)
	t.enabled = false
	t.since = 0
	t.state = running
	w.running = t
	hide()
	t.wake <- struct{}{}
	unhide()
}
