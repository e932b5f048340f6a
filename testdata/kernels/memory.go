package kernels

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

var memory = []Kernel{
	{Name: "race-on-map", Class: "memory", Want: "data-race", Bug: raceOnMap, Fixed: raceOnMapFixed},
	{Name: "concurrent-map", Class: "memory", Want: "concurrent-map", Bug: raceOnMap, Fixed: raceOnMapFixed},
	{Name: "race-on-append", Class: "memory", Want: "data-race", Bug: raceOnAppend, Fixed: raceOnAppendFixed},
	{Name: "race-on-interface", Class: "memory", Want: "data-race", Bug: raceOnInterface, Fixed: raceOnInterfaceFixed},
	{Name: "race-on-field", Class: "memory", Want: "data-race", Bug: raceOnField, Fixed: raceOnFieldFixed},
	{Name: "race-on-loop-variable", Class: "memory", Want: "data-race", Bug: loopVariable, Fixed: loopVariableFixed},
	{Name: "race-on-read-lock", Class: "memory", Want: "data-race", Bug: writeUnderReadLock, Fixed: writeUnderReadLockFixed},
	{Name: "race-on-copied-lock", Class: "memory", Want: "data-race", Bug: copiedLock, Fixed: copiedLockFixed},
	{Name: "race-on-double-check", Class: "memory", Want: "data-race", Bug: doubleCheck, Fixed: doubleCheckFixed},
	{Name: "race-on-early-flag", Class: "memory", Want: "data-race", Bug: earlyFlag, Fixed: earlyFlagFixed},
	{Name: "race-on-lazy-init", Class: "memory", Want: "data-race", Bug: lazyInit, Fixed: lazyInitFixed},
	{Name: "lazy-init-twice", Class: "memory", Want: "panic", Bug: lazyInitTwice, Fixed: lazyInitTwiceFixed},
	{Name: "range-without-lock", Class: "memory", Want: "data-race", Bug: rangeUnlocked, Fixed: rangeUnlockedFixed},
	{Name: "range-without-lock-map", Class: "memory", Want: "concurrent-map", Bug: rangeUnlocked, Fixed: rangeUnlockedFixed},
	{Name: "inner-map", Class: "memory", Want: "data-race", Bug: innerMap, Fixed: innerMapFixed},
	{Name: "inner-map-map", Class: "memory", Want: "concurrent-map", Bug: innerMap, Fixed: innerMapFixed},
	{Name: "lock-per-name", Class: "memory", Want: "data-race", Bug: lockPerName, Fixed: lockPerNameFixed},
	{Name: "lock-per-name-map", Class: "memory", Want: "concurrent-map", Bug: lockPerName, Fixed: lockPerNameFixed},
}

// both runs two goroutines, each with its number, under a lock that may be nil.
func both(mu *sync.Mutex, f func(i int)) {
	for i := range 2 {
		go func() {
			if mu != nil {
				mu.Lock()
				defer mu.Unlock()
			}
			f(i)
		}()
	}
}

// raceOnMap counts events by node in a map that has no lock.
func raceOnMap(context.Context) {
	events := map[string]int{}
	both(nil, func(int) { events["node"]++ })
}

func raceOnMapFixed(context.Context) {
	events := map[string]int{}
	both(new(sync.Mutex), func(int) { events["node"]++ })
}

// raceOnAppend collects results in a slice that has no lock.
func raceOnAppend(context.Context) {
	var results []int
	both(nil, func(i int) { results = append(results, i) })
}

func raceOnAppendFixed(context.Context) {
	var results []int
	both(new(sync.Mutex), func(i int) { results = append(results, i) })
}

// raceOnInterface keeps the last error of two workers in a variable without a lock.
func raceOnInterface(context.Context) {
	var last error
	both(nil, func(int) { last = errDial })
	_ = last
}

func raceOnInterfaceFixed(context.Context) {
	var mu sync.Mutex
	var last error
	both(&mu, func(int) { last = errDial })
	mu.Lock()
	defer mu.Unlock()
	_ = last
}

// raceOnField reads a field without the lock that its writer has.
func raceOnField(context.Context) { watchHealth(func(h *health) bool { return h.ok }) }

func raceOnFieldFixed(context.Context) {
	watchHealth(func(h *health) bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.ok
	})
}

type health struct {
	mu sync.Mutex
	ok bool
}

func watchHealth(look func(*health) bool) {
	h := &health{}
	go func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.ok = true
	}()
	look(h)
}

// writeUnderReadLock counts the hits of a cache under its read lock.
func writeUnderReadLock(context.Context) {
	hitTwice(func(mu *sync.RWMutex) sync.Locker { return mu.RLocker() })
}

func writeUnderReadLockFixed(context.Context) {
	hitTwice(func(mu *sync.RWMutex) sync.Locker { return mu })
}

func hitTwice(side func(*sync.RWMutex) sync.Locker) {
	var mu sync.RWMutex
	hits := 0
	both(nil, func(int) {
		l := side(&mu)
		l.Lock()
		defer l.Unlock()
		hits++
	})
}

// copiedLock clones a list of counters, and with them the locks of what they go on sharing.
func copiedLock(context.Context) {
	countInBoth(func(c []counter) []counter { return slices.Clone(c) })
}

func copiedLockFixed(context.Context) {
	countInBoth(func(c []counter) []counter { return c })
}

type counter struct {
	mu sync.Mutex
	n  *int
}

func countInBoth(share func([]counter) []counter) {
	counters := []counter{{n: new(int)}}
	lists := [][]counter{counters, share(counters)}
	both(nil, func(i int) {
		c := &lists[i][0]
		c.mu.Lock()
		defer c.mu.Unlock()
		*c.n++
	})
}

// earlyFlag says that the settings are loaded before they are.
func earlyFlag(context.Context) {
	loadAndServe(func(s *settings) {
		s.loaded.Store(true)
		s.path = "/etc/app"
	})
}

func earlyFlagFixed(context.Context) {
	loadAndServe(func(s *settings) {
		s.path = "/etc/app"
		s.loaded.Store(true)
	})
}

type settings struct {
	loaded atomic.Bool
	path   string
}

func loadAndServe(load func(*settings)) {
	s := &settings{}
	go load(s)
	if s.loaded.Load() {
		_ = s.path + "/app.yaml"
	}
}
