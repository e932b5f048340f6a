package constructs

import (
	"fmt"
	"maps"
	"slices"
	"sort"
)

type registry struct {
	byName map[string]int
	nested map[string]map[int]string
	lists  map[string][]int
	any    map[any]any
}

type phase string

func key(s string) string { return s }

func mapsOf[M ~map[K]V, K comparable, V any](m M, k K, v V) V {
	m[k] = v
	for k2, v2 := range m {
		if k2 == k {
			return v2
		}
	}
	return m[k]
}

func readsAndWrites() string {
	r := &registry{byName: map[string]int{}, nested: map[string]map[int]string{"n": {}}, lists: map[string][]int{}, any: map[any]any{}}
	r.byName["a"] = 1
	r.byName["a"] += 2
	r.byName["a"]++
	r.byName[key("b")] = len("four")
	r.byName["c"] = r.byName["b"] + 1
	r.byName[key("d")] =
		r.byName[key("c")] // two lines
	r.nested["n"][1] = "one"
	r.lists["l"] = append(r.lists["l"], 1, 2)
	r.lists["l"][0] = 7
	r.any[1], r.any["x"] = nil, 'x'
	v, ok := r.byName["zz"]
	w, ok2 := r.byName[key("a")]
	var u, ok3 = r.byName[key("none")]
	if _, there := r.any["x"]; !there {
		return "lost"
	}
	delete(r.byName, "c")
	defer delete(r.any, key("x"))
	n := len(r.byName)
	defer func() { clear(r.lists) }()
	defer clear(r.byName)
	return fmt.Sprint(v, ok, w, ok2, u, ok3, n, r.nested["n"][1], r.lists["l"], mapsOf(r.byName, "q", 6))
}

func loops() string {
	m := map[string]int{"a": 1, "b": 2, "c": 3}
	var out []string
	for k, v := range m {
		out = append(out, fmt.Sprint(k, v))
	}
	count := 0
	for range m {
		count++
	}
	for k := range m {
		count += len(k)
	}
	for _, v := range m {
		count += v
		for k := range m {
			if k == "b" {
				continue
			}
			count++
		}
	}
	var k string
	var pair struct{ v int }
	for k, pair.v = range m {
		count += len(k) + pair.v
	}
	keys := slices.Collect(maps.Keys(m))
	for v := range maps.Values(m) {
		count += v
	}
	for k, v := range maps.All(m) {
		count += len(k) + v
	}
	sort.Strings(out)
	sort.Strings(keys)
	return fmt.Sprint(out, count, keys, private())
}

// private has a map that nobody else can reach: only its order matters.
func private() map[phase]bool {
	seen := make(map[phase]bool)
	for _, p := range []phase{"x", "y", "x"} {
		if !seen[p] {
			seen[p] = true
		}
	}
	delete(seen, "y")
	return seen
}
