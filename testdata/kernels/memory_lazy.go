package kernels

import (
	"context"
	"sync"
	"sync/atomic"
)

// pool makes its connection when it is first needed.
type pool struct {
	mu     sync.Mutex
	once   sync.Once
	conn   *string
	opened atomic.Int64
}

func (p *pool) open() *string {
	if p.opened.Add(1) > 1 {
		panic("opened a second connection")
	}
	return new(string)
}

// doubleCheck looks at the pointer without the lock first.
func doubleCheck(context.Context) {
	p := &pool{}
	both(nil, func(int) {
		if p.conn != nil {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.conn == nil {
			p.conn = p.open()
		}
	})
}

func doubleCheckFixed(context.Context) {
	p := &pool{}
	both(nil, func(int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.conn == nil {
			p.conn = p.open()
		}
	})
}

// lazyInit has several workers each make what they find missing.
func lazyInit(context.Context) {
	var cache []string
	both(nil, func(int) {
		if cache == nil {
			cache = make([]string, 4)
		}
	})
}

func lazyInitFixed(context.Context) {
	var cache []string
	var once sync.Once
	both(nil, func(int) {
		once.Do(func() { cache = make([]string, 4) })
		_ = cache[3]
	})
}

// lazyInitTwice looks under the lock, opens without it, and so opens twice.
func lazyInitTwice(context.Context) {
	p := &pool{}
	both(nil, func(int) {
		p.mu.Lock()
		missing := p.conn == nil
		p.mu.Unlock()
		if missing {
			conn := p.open()
			p.mu.Lock()
			p.conn = conn
			p.mu.Unlock()
		}
	})
}

func lazyInitTwiceFixed(context.Context) {
	p := &pool{}
	both(nil, func(int) { p.once.Do(func() { p.conn = p.open() }) })
}
