package script

import (
	"cmp"
	"fmt"
	"strconv"
	"sync"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	"k8s.io/client-go/tools/cache"
)

// recorder is a handler that writes down what it sees, and is slow on demand.
type recorder struct {
	number       int
	late         bool
	store        *shown
	registration cache.ResourceEventHandlerRegistration

	mutex   sync.Mutex
	known   map[string]*snapshotv1.VolumeSnapshot // given last
	events  []Event
	relists []hidden
	gate    chan struct{} // callbacks return when it is closed; nil is open
	lost    bool          // it was slow when it left
}

func newRecorder(number int, late, held bool, store *shown) *recorder {
	r := &recorder{number: number, late: late, store: store, known: map[string]*snapshotv1.VolumeSnapshot{}}
	if held {
		r.hold()
	}
	return r
}

func (r *recorder) hold() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.gate == nil {
		r.gate = make(chan struct{})
	}
}

func (r *recorder) release() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.gate != nil {
		close(r.gate)
		r.gate = nil
	}
}

// drop releases a handler that has left.
func (r *recorder) drop() {
	r.mutex.Lock()
	r.lost = r.gate != nil
	r.mutex.Unlock()
	r.release()
}

// hide notes what a relist will bring in its list.
func (r *recorder) hide(h hidden) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.relists = append(r.relists, h)
}

// take returns what was seen since the last call, and once more what is in
// flight.
func (r *recorder) take() Seen {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	s := Seen{Handler: r.number, Late: r.late, Held: r.gate != nil, Lost: r.lost, Events: r.events, relists: r.relists}
	r.events, r.lost = nil, false
	if n := len(s.Events); s.Held && n > 0 {
		r.events = s.Events[n-1:]
	}
	return s
}

// OnAdd is part of cache.ResourceEventHandler.
func (r *recorder) OnAdd(o any, initial bool) {
	s := o.(*snapshotv1.VolumeSnapshot)
	r.record(Event{Verb: "add", Initial: initial}, nil, s)
}

// OnUpdate is part of cache.ResourceEventHandler.
func (r *recorder) OnUpdate(old, o any) {
	before, s := old.(*snapshotv1.VolumeSnapshot), o.(*snapshotv1.VolumeSnapshot)
	r.record(Event{
		Verb: "update", Other: before.UID != s.UID,
		Repeat: before.ResourceVersion == s.ResourceVersion, Same: before == s,
	}, before, s)
}

// OnDelete is part of cache.ResourceEventHandler.
func (r *recorder) OnDelete(o any) {
	switch o := o.(type) {
	case *snapshotv1.VolumeSnapshot:
		r.record(Event{Verb: "delete"}, o, nil)
	case cache.DeletedFinalStateUnknown:
		r.record(Event{Verb: "tombstone", Key: o.Key}, o.Obj.(*snapshotv1.VolumeSnapshot), nil)
	default:
		r.record(Event{Verb: fmt.Sprintf("delete of a %T", o)}, nil, nil)
	}
}

func (r *recorder) record(e Event, old, o *snapshotv1.VolumeSnapshot) {
	r.note(e, old, o)
	if gate := r.gateNow(); gate != nil {
		<-gate
	}
}

func (r *recorder) gateNow() chan struct{} {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.gate
}

func (r *recorder) note(e Event, old, o *snapshotv1.VolumeSnapshot) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if old != nil {
		e.Key, e.Old, e.Revision = cmp.Or(e.Key, old.Name), identity(old), revision(old)
		e.Strange = r.known[old.Name] != old && e.Verb != "delete"
		delete(r.known, old.Name)
	}
	if o != nil {
		e.Key, e.New, e.Revision = o.Name, identity(o), revision(o)
		e.Behind = !r.store.had(o)
		r.known[o.Name] = o
	}
	r.events = append(r.events, e)
}

// identity tells an object and its state: the end of the UID, the revision, the
// label and the status.
func identity(s *snapshotv1.VolumeSnapshot) string {
	uid, ready := string(s.UID), "unready"
	if s.Status != nil && s.Status.ReadyToUse != nil && *s.Status.ReadyToUse {
		ready = "ready"
	}
	return fmt.Sprintf("[uid %s @%s %s %s]", uid[max(0, len(uid)-2):], s.ResourceVersion, s.Labels["n"], ready)
}

func revision(s *snapshotv1.VolumeSnapshot) int64 {
	n, _ := strconv.ParseInt(s.ResourceVersion, 10, 64)
	return n
}

// shown is an index function of a store that remembers what went in. While an
// object goes in it sleeps for an instant, so that a callback that should come
// later but does not is caught in the act.
type shown struct {
	mutex sync.Mutex
	last  map[string]int64 // the newest revision by name
}

func (s *shown) index(o any) ([]string, error) {
	time.Sleep(time.Nanosecond)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	snapshot := o.(*snapshotv1.VolumeSnapshot)
	s.last[snapshot.Name] = max(s.last[snapshot.Name], revision(snapshot))
	return nil, nil
}

func (s *shown) had(o *snapshotv1.VolumeSnapshot) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.last[o.Name] >= revision(o)
}
