// Package constructs holds every construct that is rewritten, in a program whose output must not change.
package constructs

import "fmt"

// Run runs all of them.
func Run() []string {
	_, _, _ = forever, dropped, fatal
	return []string{channels(), selects(), gostmts(), locks(), values(), atomics(), timers(), readsAndWrites(), loops(),
		touches(), foreigners(), queues(), libraries(), clocks(), contexts(), reflected(), tuples(), fmt.Sprint(shadows(), untouched(1, 2)),
		generics(), labels(), switches(), defers(), orders(), dots(), directions(), iterators(), builtins(), spawned(),
		places(), versions()}
}
