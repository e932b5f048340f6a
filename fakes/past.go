package fakes

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/watch"
)

// past takes the present states of a table and undoes its last changes, the
// newest first. It returns the states as they were before them, in key order.
func past(present []*record, undone []change) []*record {
	for _, c := range slices.Backward(undone) {
		at, found := slices.BinarySearchFunc(present, c.now.key, compareKey)
		switch {
		case c.what == watch.Deleted && !found:
			present = slices.Insert(present, at, c.before)
		case c.what == watch.Added && found:
			present = slices.Delete(present, at, at+1)
		case c.what == watch.Modified && found:
			present[at] = c.before
		default:
			panic("fakes: the changes of a table do not lead to its present state")
		}
	}
	return present
}

func compareKey(r *record, key string) int { return strings.Compare(r.key, key) }
