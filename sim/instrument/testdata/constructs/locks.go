package constructs

import (
	"fmt"
	"sync"
)

type base struct{ sync.RWMutex }

type table struct {
	*base
	sync.Locker
	n    int
	cond *sync.Cond
	once sync.Once
	pool sync.Pool
}

type lockable interface {
	Lock()
	Unlock()
	Name() string
}

type namedLock struct {
	sync.Mutex
	name string
}

func (n *namedLock) Name() string { return n.name }

func under(l lockable, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

func withLocker[L sync.Locker](l L, f func()) { l.Lock(); f(); l.Unlock() }

func mutex() *sync.Mutex { return new(sync.Mutex) }

var global sync.Mutex

func locks() string {
	t := &table{base: &base{}, Locker: &sync.Mutex{}}
	t.RLock()
	t.RUnlock()
	t.base.Lock()
	tried := t.base.TryLock()
	t.base.Unlock()
	t.base.
		RWMutex.
		Lock()
	t.RWMutex.Unlock()
	read := t.TryRLock()
	t.RUnlock()
	t.Locker.Lock()
	t.Locker.Unlock()
	array := [2]struct{ mu sync.Mutex }{}
	array[1].mu.Lock()
	(&array[1].mu).Unlock()
	mutex().Lock()
	global.Lock()
	again := global.TryLock()
	global.Unlock()
	under(&namedLock{name: "n"}, func() { t.n++ })
	withLocker(&global, func() { t.n++ })
	t.cond = sync.NewCond(&global)
	go func() {
		t.cond.L.Lock()
		t.n = 10
		t.cond.Broadcast()
		t.cond.Signal()
		t.cond.L.Unlock()
	}()
	t.cond.L.Lock()
	for t.n < 10 {
		t.cond.Wait()
	}
	t.cond.L.Unlock()
	for range 2 {
		t.once.Do(func() { t.n++ })
	}
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Go(func() { t.n++ })
	go func() { defer wg.Done() }()
	wg.Wait()
	t.pool.Put(t.pool.Get())
	f := sync.OnceFunc(func() { t.n++ })
	f()
	f()
	v := sync.OnceValue(func() int { return 4 })
	vs := sync.OnceValues[int, error](func() (int, error) { return 5, nil })
	five, _ := vs()
	return fmt.Sprint(tried, read, again, t.n, v(), five)
}
