//go:build go1.21

package kernels

import (
	"context"
	"sync"
)

// loopVariable starts a goroutine for each name, and all of them see one variable, as loops had it before Go 1.22.
func loopVariable(context.Context) {
	var seen sync.Map
	started := 0
	for _, name := range []string{"a", "b"} {
		go func() { seen.Store(name, true) }()
		started++
	}
}

func loopVariableFixed(context.Context) {
	var seen sync.Map
	started := 0
	for _, name := range []string{"a", "b"} {
		name := name
		go func() { seen.Store(name, true) }()
		started++
	}
}
