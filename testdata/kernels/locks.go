package kernels

import (
	"context"
	"errors"
	"sync"
)

//lint:file-ignore SA2001 the kernels are broken on purpose

var locks = []Kernel{
	{Name: "double-lock", Class: "locks", Want: "deadlock", Bug: doubleLock, Fixed: doubleLockFixed},
	{Name: "double-lock-method", Class: "locks", Want: "deadlock", Bug: doubleLockMethod, Fixed: doubleLockMethodFixed},
	{Name: "double-lock-callback", Class: "locks", Want: "deadlock", Bug: doubleLockCallback, Fixed: doubleLockCallbackFixed},
	{Name: "lock-order-two", Class: "locks", Want: "deadlock", Bug: lockOrderTwo, Fixed: lockOrderTwoFixed},
	{Name: "lock-order-three", Class: "locks", Want: "deadlock", Bug: lockOrderThree, Fixed: lockOrderThreeFixed},
	{Name: "lock-order-argument", Class: "locks", Want: "deadlock", Bug: lockOrderArgument, Fixed: lockOrderArgumentFixed},
	{Name: "read-write-read", Class: "locks", Want: "stuck", Bug: readWriteRead, Fixed: readWriteReadFixed},
	{Name: "read-lock-upgrade", Class: "locks", Want: "stuck", Bug: readLockUpgrade, Fixed: readLockUpgradeFixed},
	{Name: "read-lock-unlock", Class: "locks", Want: "panic", Bug: readLockUnlock, Fixed: readLockUnlockFixed},
	{Name: "lock-and-send", Class: "locks", Want: "stuck", Bug: lockAndSend, Fixed: lockAndSendFixed},
	{Name: "lock-and-receive", Class: "locks", Want: "stuck", Bug: lockAndReceive, Fixed: lockAndReceiveFixed},
	{Name: "lock-leaked-on-return", Class: "locks", Want: "stuck", Bug: lockLeaked, Fixed: lockLeakedFixed},
	{Name: "lock-leaked-on-panic", Class: "locks", Want: "stuck", Bug: lockLeakedPanic, Fixed: lockLeakedPanicFixed},
	{Name: "unlock-unlocked", Class: "locks", Want: "panic", Bug: unlockUnlocked, Fixed: unlockUnlockedFixed},
	{Name: "unlock-twice", Class: "locks", Want: "panic", Bug: unlockTwice, Fixed: unlockTwiceFixed},
	{Name: "trylock-livelock", Class: "locks", Want: "hang", Bug: tryLockLivelock, Fixed: tryLockLivelockFixed, MaxSteps: 20_000},
}

// doubleLock takes a lock again on the error path of a function that has it.
func doubleLock(context.Context) {
	var a account
	a.withdraw(1, a.audit)
}

func doubleLockFixed(context.Context) {
	var a account
	a.withdraw(1, a.auditLocked)
}

type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) withdraw(n int, refused func() int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.balance < n {
		refused()
		return
	}
	a.balance -= n
}

func (a *account) audit() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

func (a *account) auditLocked() int { return a.balance }

// doubleLockMethod refreshes a lease by a method that locks, called by one that has locked.
func doubleLockMethod(context.Context) {
	var l lease
	go l.takeOver("b", l.expired)
	l.takeOver("a", l.expired)
}

func doubleLockMethodFixed(context.Context) {
	var l lease
	go l.takeOver("b", l.expiredLocked)
	l.takeOver("a", l.expiredLocked)
}

type lease struct {
	mu     sync.Mutex
	holder string
}

func (l *lease) takeOver(name string, expired func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if expired() {
		l.holder = name
	}
}

func (l *lease) expired() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.expiredLocked()
}

func (l *lease) expiredLocked() bool { return l.holder == "" }

// doubleLockCallback calls its listeners under the lock that a listener needs in order to unsubscribe.
func doubleLockCallback(context.Context) { oneShot((*topic).publishLocked) }

func doubleLockCallbackFixed(context.Context) { oneShot((*topic).publish) }

type topic struct {
	mu        sync.Mutex
	listeners []func(event string)
}

func oneShot(publish func(*topic, string)) {
	var t topic
	t.listeners = append(t.listeners, func(string) { t.unsubscribe() })
	publish(&t, "added")
}

func (t *topic) publishLocked(event string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.listeners {
		f(event)
	}
}

func (t *topic) publish(event string) {
	t.mu.Lock()
	listeners := t.listeners
	t.mu.Unlock()
	for _, f := range listeners {
		f(event)
	}
}

func (t *topic) unsubscribe() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.listeners = nil
}

// lockLeaked returns without the unlock when there is no such key.
func lockLeaked(context.Context) { getTwice((*vault).getLeaky) }

func lockLeakedFixed(context.Context) { getTwice((*vault).get) }

type vault struct {
	mu      sync.Mutex
	secrets map[string]string
}

var errNoSecret = errors.New("no such secret")

func getTwice(get func(*vault, string) (string, error)) {
	v := &vault{secrets: map[string]string{"token": "t"}}
	go get(v, "password")
	go get(v, "token")
}

func (v *vault) getLeaky(name string) (string, error) {
	v.mu.Lock()
	secret, ok := v.secrets[name]
	if !ok {
		return "", errNoSecret
	}
	v.mu.Unlock()
	return secret, nil
}

func (v *vault) get(name string) (string, error) {
	v.mu.Lock()
	secret, ok := v.secrets[name]
	if !ok {
		v.mu.Unlock()
		return "", errNoSecret
	}
	v.mu.Unlock()
	return secret, nil
}

// lockLeakedPanic recovers from a handler's panic, which skips the unlock.
func lockLeakedPanic(context.Context) {
	serveTwo(func(mu *sync.Mutex, handle func()) {
		mu.Lock()
		handle()
		mu.Unlock()
	})
}

func lockLeakedPanicFixed(context.Context) {
	serveTwo(func(mu *sync.Mutex, handle func()) {
		mu.Lock()
		defer mu.Unlock()
		handle()
	})
}

func serveTwo(locked func(*sync.Mutex, func())) {
	var mu sync.Mutex
	var routes map[string]int
	for _, path := range []string{"/a", "/b"} {
		go func() {
			defer func() { _ = recover() }()
			locked(&mu, func() { routes[path]++ })
		}()
	}
}

// unlockUnlocked unlocks at the end also where it did not lock.
func unlockUnlocked(context.Context) {
	var mu sync.Mutex
	for _, dry := range []bool{false, true} {
		apply(&mu, dry, false)
	}
}

func unlockUnlockedFixed(context.Context) {
	var mu sync.Mutex
	for _, dry := range []bool{false, true} {
		apply(&mu, dry, dry)
	}
}

func apply(mu *sync.Mutex, dryRun, keep bool) {
	if !dryRun {
		mu.Lock()
	}
	if !keep {
		mu.Unlock()
	}
}

// unlockTwice unlocks early when the job was cancelled, and once more in its defer.
func unlockTwice(context.Context) { cancelAndRun(true) }

func unlockTwiceFixed(context.Context) { cancelAndRun(false) }

func cancelAndRun(early bool) {
	var mu sync.Mutex
	cancelled := false
	go func() {
		mu.Lock()
		cancelled = true
		mu.Unlock()
	}()
	go func() {
		mu.Lock()
		defer mu.Unlock()
		if cancelled && early {
			mu.Unlock()
			return
		}
	}()
}
