package fakes

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/snapstorm/snapstorm/sim"
)

// Cluster is an API server in memory. It may be used by any number of
// goroutines; see the package comment for what it promises.
type Cluster struct {
	options Options
	ask     func(label string, n, rare int) int // sim.Ask, but in tests
	tables  []*table                            // as many as there are types, and never more
	watched bool                                // objects that are handed out are looked after
	mishaps []string                            // that may happen, behind an empty one; none if none may

	lock quietLock // guards the tables and ledger, for one operation at a time
	ledger
}

// ledger is the part of a cluster's memory that is not in its tables. It is
// touched in go:norace functions only.
type ledger struct {
	revision     int64
	uids         int64
	names        int64
	incarnations int
	setUp        int64 // the revision when the first incarnation began
	compacted    int64 // the oldest revision that can be listed
	handed       []*handedOut
	awayUntil    int64 // in nanoseconds: no program reaches the API server before
	calm         bool  // nothing goes wrong any more
	stats        Stats
	gaps         []gap
}

// NewCluster returns an empty cluster. It panics if a type is among the
// Options' Types twice.
func NewCluster(o Options) *Cluster {
	c := &Cluster{options: o, ask: sim.Ask, mishaps: possibleMishaps(o.Faults)}
	c.declare()
	c.watchShared()
	for _, k := range o.kinds() {
		c.tables = append(c.tables, &table{kind: k})
	}
	return c
}

// Add puts objects into the cluster during set-up, each as one creation. A UID
// and a creationTimestamp are given where they are missing; status,
// finalizers and deletionTimestamp are kept; the revision is always the
// cluster's own. The objects are copied. It fails at the first object that has
// no name, is of a kind that is not served, or is there already.
func (c *Cluster) Add(objects ...runtime.Object) error {
	for _, given := range objects {
		t := c.tableOf(given)
		if t == nil {
			return fmt.Errorf("fakes: objects of type %T are not served: leave them out, or list the type in the Options' Types", given)
		}
		if err := c.install(t, given.DeepCopyObject().(object)); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) install(t *table, o object) error {
	if o.GetName() == "" {
		return fmt.Errorf("fakes: a %s has no name: give it one", t.kind.kind.Kind)
	}
	if t.kind.namespaced && o.GetNamespace() == "" {
		o.SetNamespace(metav1.NamespaceDefault)
	}
	if !t.kind.namespaced {
		o.SetNamespace("")
	}
	if o.GetDeletionTimestamp() != nil && o.GetDeletionGracePeriodSeconds() == nil {
		o.SetDeletionGracePeriodSeconds(new(int64))
	}
	return c.transact(t, func() error {
		key := t.kind.key(o.GetNamespace(), o.GetName())
		if t.get(key) != nil {
			return fmt.Errorf("fakes: %s %s is there twice: leave one out", t.kind.kind.Kind, key)
		}
		t.add(c.bear(t, o))
		return nil
	})
}

// tableOf returns the table for objects of this type, or nil.
func (c *Cluster) tableOf(o runtime.Object) *table {
	return c.tableOfType(reflect.TypeOf(o))
}

func (c *Cluster) tableOfType(pointer reflect.Type) *table {
	for _, t := range c.tables {
		if pointer == t.kind.goType {
			return t
		}
	}
	return nil
}

// tableFor returns the table that serves a resource, or nil.
func (c *Cluster) tableFor(resource schema.GroupVersionResource) *table {
	at := slices.IndexFunc(c.tables, func(t *table) bool { return t.kind.resource == resource })
	if at < 0 {
		return nil
	}
	return c.tables[at]
}

// transact runs one operation under the cluster's lock and then tells those
// who wait for changes of the table.
func (c *Cluster) transact(t *table, operation func() error) error {
	grew, err := c.locked(t, operation)
	if grew {
		t.grown.Open()
	}
	return err
}

func (c *Cluster) locked(t *table, operation func() error) (grew bool, err error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	before := t.end()
	sim.Undivided(func() { err = operation() }) // it may copy objects of the user's types
	return t.end() > before, err
}

//go:norace
func (c *Cluster) nextRevision() int64 {
	sim.Changed(c) // no two writes commute: they share the revisions
	c.revision++
	return c.revision
}

//go:norace
func (c *Cluster) nextUIDNumber() int64 {
	c.uids++
	return c.uids
}

// uidOf returns a UID that looks like one. It is put together without fmt,
// whose pool of buffers would order those who create objects.
func uidOf(n int64) types.UID {
	digits := strconv.FormatInt(n, 16)
	digits = strings.Repeat("0", max(0, 12-len(digits))) + digits
	return types.UID(digits[len(digits)-8:] + "-0000-4000-8000-" + digits)
}

//go:norace
func (c *Cluster) nextName() int64 {
	c.names++
	return c.names
}

//go:norace
func (c *Cluster) present() int64 { return c.revision }

// count changes the statistics under the lock. The function is given them in
// a copy, so that it may be an ordinary one.
func (c *Cluster) count(f func(*Stats)) {
	c.lock.Lock()
	defer c.lock.Unlock()
	s := c.readStats()
	f(&s)
	c.writeStats(s)
}

//go:norace
func (c *Cluster) readStats() Stats { return c.stats }

//go:norace
func (c *Cluster) writeStats(s Stats) { c.stats = s }

// Stats returns what the cluster did so far.
func (c *Cluster) Stats() Stats {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.readStats()
}

// now is the time that the API server stamps on objects: to the second, and
// virtual inside a world.
func now() metav1.Time { return metav1.NewTime(time.Now().UTC().Truncate(time.Second)) }
