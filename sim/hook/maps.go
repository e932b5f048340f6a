package hook

import (
	"iter"
	"slices"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// MapRead is a point before m is read. It returns m, so that it stands in the expression where the map stood.
func MapRead[M ~map[K]V, K comparable, V any](m M, s *Site) M {
	sched.TouchMap(identity(m), false, s)
	return m
}

// MapWrite is a point before m is written.
func MapWrite[M ~map[K]V, K comparable, V any](m M, s *Site) M {
	sched.TouchMap(identity(m), true, s)
	return m
}

// Map is a map at a place in the source where the key or the value is computed by calls: the point comes after them.
type Map[K comparable, V any] struct {
	m    map[K]V
	site *Site
}

// In begins an access to m.
func In[K comparable, V any](m map[K]V, s *Site) Map[K, V] { return Map[K, V]{m, s} }

// Get is m[k].
func (m Map[K, V]) Get(k K) V { return MapRead(m.m, m.site)[k] }

// Get2 is m[k] with two results.
func (m Map[K, V]) Get2(k K) (V, bool) {
	v, ok := MapRead(m.m, m.site)[k]
	return v, ok
}

// Set is m[k] = v.
func (m Map[K, V]) Set(k K, v V) { MapWrite(m.m, m.site)[k] = v }

// MapRange is a loop over a map.
type MapRange[K comparable, V any] struct {
	K    K // what Next came to
	V    V
	m    map[K]V
	keys []K
	next int
	site *Site
}

// maxFirsts bounds how many of a map's keys a loop may begin with: a tape should not be about large maps.
const maxFirsts = 8

// RangeMap begins a range loop over a map. Its first two results are there to give the loop's variables their types.
// Inside a world the order is that of the keys, from one on that the scheduler chooses: a random one could not be replayed.
func RangeMap[M ~map[K]V, K comparable, V any](m M, s *Site) (K, V, *MapRange[K, V]) {
	r := &MapRange[K, V]{m: m, site: s}
	r.keys = make([]K, 0, len(MapRead(m, s)))
	for k := range m {
		r.keys = append(r.keys, k)
	}
	if t := sched.Current(); t != nil && len(r.keys) > 1 {
		if !sortKeys(r.keys) {
			t.Fatal("the keys of this map have no order that could be replayed; range over a sorted slice of them", s)
		}
		sched.Enter(sched.Op{Kind: sched.RangeMap, Site: s, N: min(len(r.keys), maxFirsts)})
		first := t.Answer()
		r.keys = slices.Concat(r.keys[first:], r.keys[:first])
	}
	return r.K, r.V, r
}

// Next goes on to the next key that is still in the map; it fills K and V and, if they are not nil, *k and *v.
func (r *MapRange[K, V]) Next(k *K, v *V) bool {
	for r.next < len(r.keys) {
		key := r.keys[r.next]
		r.next++
		value, ok := MapRead(r.m, r.site)[key]
		if !ok && key == key {
			continue // deleted since the loop began; a key that is not equal to itself cannot be looked up
		}
		r.K, r.V = key, value
		if k != nil {
			*k = key
		}
		if v != nil {
			*v = value
		}
		return true
	}
	return false
}

// MapAll is maps.All.
func MapAll[M ~map[K]V, K comparable, V any](m M, s *Site) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		_, _, r := RangeMap(m, s)
		for r.Next(nil, nil) && yield(r.K, r.V) {
		}
	}
}

// MapKeys is maps.Keys.
func MapKeys[M ~map[K]V, K comparable, V any](m M, s *Site) iter.Seq[K] {
	return func(yield func(K) bool) {
		MapAll(m, s)(func(k K, _ V) bool { return yield(k) })
	}
}

// MapValues is maps.Values.
func MapValues[M ~map[K]V, K comparable, V any](m M, s *Site) iter.Seq[V] {
	return func(yield func(V) bool) {
		MapAll(m, s)(func(_ K, v V) bool { return yield(v) })
	}
}
