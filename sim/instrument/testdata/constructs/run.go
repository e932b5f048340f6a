// Package constructs holds every construct that is rewritten, in a program whose output must not change.
package constructs

import "fmt"

// Run runs all of them.
func Run() []string {
	_, _ = forever, dropped
	return []string{channels(), selects(), gostmts(), locks(), values(), atomics(), timers(), readsAndWrites(), loops(),
		touches(), foreigners(), queues(), fmt.Sprint(shadows(), untouched(1, 2))}
}
