package hook

import (
	"cmp"
	"reflect"
	"slices"
)

// sortKeys sorts the keys of a map; it returns false if they have no order: pointers, channels, and what contains them.
func sortKeys[K comparable](keys []K) bool {
	if s, ok := any(keys).([]string); ok {
		slices.Sort(s)
		return true
	}
	ordered := true
	slices.SortFunc(keys, func(a, b K) int {
		c, ok := compare(reflect.ValueOf(a), reflect.ValueOf(b))
		ordered = ordered && ok
		return c
	})
	return ordered
}

// compare orders two values of one type. Values of different dynamic types are ordered by the types' names.
func compare(a, b reflect.Value) (c int, ordered bool) {
	if !a.IsValid() || !b.IsValid() {
		return cmp.Compare(boolInt(a.IsValid()), boolInt(b.IsValid())), true
	}
	if a.Type() != b.Type() {
		return cmp.Compare(a.Type().String(), b.Type().String()), true
	}
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int()), true
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint()), true
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float()), true
	}
	switch a.Kind() {
	case reflect.String:
		return cmp.Compare(a.String(), b.String()), true
	case reflect.Bool:
		return cmp.Compare(boolInt(a.Bool()), boolInt(b.Bool())), true
	case reflect.Interface:
		return compare(a.Elem(), b.Elem())
	case reflect.Struct:
		return compareParts(a.NumField(), a.Field, b.Field)
	case reflect.Array:
		return compareParts(a.Len(), a.Index, b.Index)
	}
	return 0, false
}

func compareParts(n int, a, b func(int) reflect.Value) (c int, ordered bool) {
	for i := range n {
		if c, ok := compare(a(i), b(i)); c != 0 || !ok {
			return c, ok
		}
	}
	return 0, true
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
