package kernels

import (
	"context"
	"sync"
)

var locks = []Kernel{
	{Name: "double-lock", Class: "locks", Want: "deadlock", Bug: doubleLock, Fixed: doubleLockFixed},
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
