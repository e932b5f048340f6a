package fakes

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/cache"

	"github.com/snapstorm/snapstorm/sim"
)

// sortedIndexer is client-go's indexer, whose lists are in the order of Go
// maps, with all lists in the order of namespace and name.
type sortedIndexer struct {
	cache.Indexer
	content *byte // stands for all that is in it
}

func newSortedIndexer() sortedIndexer {
	return sortedIndexer{cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc,
		cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}), new(byte)}
}

// List returns all objects.
func (s sortedIndexer) List() []any {
	sim.Looked(s.content)
	return sorted(s.Indexer.List())
}

// Get returns the object with the key of the given one.
func (s sortedIndexer) Get(o any) (any, bool, error) {
	sim.Looked(s.content)
	return s.Indexer.Get(o)
}

// GetByKey returns the object with a key.
func (s sortedIndexer) GetByKey(key string) (any, bool, error) {
	sim.Looked(s.content)
	return s.Indexer.GetByKey(key)
}

// ListKeys returns the keys of all objects.
func (s sortedIndexer) ListKeys() []string {
	sim.Looked(s.content)
	keys := s.Indexer.ListKeys()
	slices.Sort(keys)
	return keys
}

// AddIndexers adds indexes, whose functions are called under a lock.
func (s sortedIndexer) AddIndexers(indexers cache.Indexers) error {
	whole := cache.Indexers{}
	for name, index := range indexers {
		whole[name] = func(o any) (values []string, err error) {
			sim.Undivided(func() { values, err = index(o) })
			return values, err
		}
	}
	return s.Indexer.AddIndexers(whole)
}

// Index returns the objects that share an indexed value with the given one.
func (s sortedIndexer) Index(name string, o any) ([]any, error) {
	sim.Looked(s.content)
	objects, err := s.Indexer.Index(name, o)
	return sorted(objects), err
}

// ByIndex returns the objects with an indexed value.
func (s sortedIndexer) ByIndex(name, value string) ([]any, error) {
	sim.Looked(s.content)
	objects, err := s.Indexer.ByIndex(name, value)
	return sorted(objects), err
}

// IndexKeys returns the keys of the objects with an indexed value.
func (s sortedIndexer) IndexKeys(name, value string) ([]string, error) {
	sim.Looked(s.content)
	keys, err := s.Indexer.IndexKeys(name, value)
	slices.Sort(keys)
	return keys, err
}

// ListIndexFuncValues returns all values of an index.
func (s sortedIndexer) ListIndexFuncValues(name string) []string {
	sim.Looked(s.content)
	values := s.Indexer.ListIndexFuncValues(name)
	slices.Sort(values)
	return values
}

func sorted(objects []any) []any {
	slices.SortFunc(objects, func(a, b any) int {
		x, errX := meta.Accessor(a)
		y, errY := meta.Accessor(b)
		if errX != nil || errY != nil {
			return 0 // no store accepts what has no metadata
		}
		return cmp.Or(cmp.Compare(x.GetNamespace(), y.GetNamespace()), cmp.Compare(x.GetName(), y.GetName()))
	})
	return objects
}
