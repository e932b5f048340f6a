package hook

import (
	"time"
	"unsafe"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// Sleep is time.Sleep.
func Sleep(d time.Duration, s *Site) { sched.SleepFor(d, s) }

// timer is what stands behind a timer or ticker of the program under test: a task that sleeps, and then sends or calls.
// Timers of the runtime fire in random order when they are due at one instant; tasks go in the order that the scheduler
// chooses.
type timer struct {
	c      chan time.Time
	f      func() // of AfterFunc
	period time.Duration
	armed  *arm // nil once fired or stopped
	site   *Site
}

// arm is one arming of a timer: a later Stop or Reset leaves it behind.
type arm struct{ sleeper *sched.Sleeper }

//go:norace
func (m *timer) start(d time.Duration) {
	a := &arm{sleeper: sched.NewSleeper()}
	m.armed = a
	sched.Go("", func() { m.sleep(a, d) }, m.site)
}

//go:norace
func (m *timer) sleep(a *arm, d time.Duration) {
	t := sched.Hold()
	t.Timed()
	for a.sleeper.Sleep(d, m.site) && m.armed == a {
		m.used()
		if m.period == 0 {
			m.armed = nil
		}
		if m.f != nil {
			t.Awake()
			m.f()
			return
		}
		select {
		case m.c <- time.Now():
		default:
		}
		if d = m.period; d == 0 {
			return
		}
	}
}

// used tells that the timer fires or is set: which is first matters, to it and to who receives from its channel.
//
//go:norace
func (m *timer) used() {
	sched.Used(unsafe.Pointer(m), sched.Writes)
	if m.c != nil {
		sched.Used(identity(m.c), sched.Writes)
	}
}

// stop disarms the timer and takes back a value that nobody has received yet, as timers do since Go 1.23.
//
//go:norace
func (m *timer) stop() (active bool) {
	m.used()
	active = m.armed != nil
	if active {
		m.armed.sleeper.Cancel()
		m.armed = nil
	}
	select {
	case <-m.c:
		active = true
	default:
	}
	return active
}

// attached returns what stands behind a timer or ticker, or nil if it is a plain one.
func attached(p unsafe.Pointer) *timer {
	m, _ := sched.Attached(p).(*timer)
	return m
}

// NewTimer is time.NewTimer.
func NewTimer(d time.Duration, s *Site) *time.Timer {
	s.Reach()
	t := time.NewTimer(d)
	if sched.Hold() != nil {
		t.Stop()
		m := &timer{c: make(chan time.Time, 1), site: s}
		t.C = m.c
		sched.Attach(unsafe.Pointer(t), m)
		m.start(d)
	}
	return t
}

// After is time.After.
func After(d time.Duration, s *Site) <-chan time.Time { return NewTimer(d, s).C }

// AfterFunc is time.AfterFunc.
func AfterFunc(d time.Duration, f func(), s *Site) *time.Timer {
	s.Reach()
	if sched.Hold() == nil {
		return time.AfterFunc(d, f)
	}
	t := time.AfterFunc(d, func() {})
	t.Stop()
	m := &timer{f: f, site: s}
	sched.Attach(unsafe.Pointer(t), m)
	m.start(d)
	return t
}

// TimerStop is (*time.Timer).Stop.
func TimerStop(t *time.Timer, s *Site) bool {
	s.Reach()
	sched.Hold()
	if m := attached(unsafe.Pointer(t)); m != nil {
		return m.stop()
	}
	return t.Stop()
}

// TimerReset is (*time.Timer).Reset.
func TimerReset(t *time.Timer, d time.Duration, s *Site) bool {
	s.Reach()
	sched.Hold()
	m := attached(unsafe.Pointer(t))
	if m == nil {
		return t.Reset(d)
	}
	active := m.stop()
	m.start(d)
	return active
}

// NewTicker is time.NewTicker.
func NewTicker(d time.Duration, s *Site) *time.Ticker {
	s.Reach()
	t := time.NewTicker(d)
	if sched.Hold() != nil {
		t.Stop()
		m := &timer{c: make(chan time.Time, 1), period: d, site: s}
		t.C = m.c
		sched.Attach(unsafe.Pointer(t), m)
		m.start(d)
	}
	return t
}

// Tick is time.Tick.
func Tick(d time.Duration, s *Site) <-chan time.Time {
	s.Reach()
	if d <= 0 {
		return nil
	}
	return NewTicker(d, s).C
}

// TickerStop is (*time.Ticker).Stop.
func TickerStop(t *time.Ticker, s *Site) {
	s.Reach()
	sched.Hold()
	if m := attached(unsafe.Pointer(t)); m != nil {
		m.stop()
		return
	}
	t.Stop()
}

// TickerReset is (*time.Ticker).Reset.
func TickerReset(t *time.Ticker, d time.Duration, s *Site) {
	s.Reach()
	sched.Hold()
	m := attached(unsafe.Pointer(t))
	if m == nil {
		t.Reset(d)
		return
	}
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	m.stop()
	m.period = d
	m.start(d)
}
