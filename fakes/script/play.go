package script

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing/synctest"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	client "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/typed/volumesnapshot/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// Subject is a cluster with one informer for VolumeSnapshots at a time. It is
// driven from one goroutine, between two instants at which nothing moves.
type Subject interface {
	// API is a client of the cluster, for all namespaces or for one.
	API(namespace string) client.VolumeSnapshotInterface

	// Informer returns a new informer. Its first list is of the state that age
	// says, which is the given one; nil is the present one.
	Informer(resync time.Duration, age int, past *snapshotv1.VolumeSnapshotList) cache.SharedIndexInformer

	// Rewatch ends the stream in one of several ways, so that it goes on after
	// the gap as if nothing had been.
	Rewatch(cut int, gap func())

	// Relist breaks the stream in one of several ways, so that a new list
	// follows after the gap. The first way takes no time.
	Relist(cut int, gap func())

	// Away makes the server refuse all calls of the informer for a while.
	Away(while time.Duration)
}

// outage is longer than client-go waits before it tries again.
const outage = 2 * time.Minute

// player plays one script.
type player struct {
	script  Script
	subject Subject
	api     client.VolumeSnapshotInterface // for the namespace of all snapshots
	trace   Trace
	past    []*snapshotv1.VolumeSnapshotList // at each revision
	first   int                              // which of these the first informer started from

	informer  cache.SharedIndexInformer
	store     *shown
	recorders []*recorder // of this informer, in the order in which they joined
	joined    int         // recorders of all informers
	cancel    context.CancelFunc
	returned  chan struct{} // closed when Run has returned
	stopped   bool
}

// Play plays a script on a subject whose cluster is empty. It must be called in
// a synctest bubble. When it returns the informer has ended. An error of the
// API panics, for no write of a script can fail.
func Play(s Script, on Subject) Trace {
	p := &player{script: s, subject: on, api: on.API(metav1.NamespaceDefault)}
	p.look()
	p.write(s.Before)
	p.first = len(p.past) - 1
	p.boot(0, false)
	p.note("start")
	for _, step := range s.Steps {
		if step.Kind != Pass {
			p.do(step)
			p.note(step.String())
		}
	}
	p.halt()
	p.note("end")
	return p.trace
}

// quiesce waits until nothing moves, not even a store in which something goes
// in.
func quiesce() {
	time.Sleep(time.Millisecond)
	synctest.Wait()
}

func (p *player) do(s Step) {
	switch s.Kind {
	case Change:
		p.write(s.Writes)
	case Rewatch:
		p.cut(p.subject.Rewatch, s)
		time.Sleep(outage)
	case Relist:
		p.relist(s)
		time.Sleep(outage)
	case Resync:
		time.Sleep(period)
	case Join:
		p.join(Handler{s.Period, s.Held}, true)
	case Leave:
		p.leave(s.Handler)
	case Hold:
		p.each(s.Handler, (*recorder).hold)
	case Release:
		p.each(s.Handler, (*recorder).release)
	case Stop:
		if len(s.Writes) > 0 {
			s.Cut = 0 // the one that takes no time
			p.relist(s)
		}
		p.halt()
	case Restart:
		p.halt()
		p.write(s.Writes)
		p.boot(s.Age, s.Held)
	case Outage:
		p.halt()
		p.write(s.Writes)
		p.bootAway(s)
	}
}

// bootAway starts a new informer while the server is out of reach.
func (p *player) bootAway(s Step) {
	p.subject.Away(outage)
	p.boot(s.Age, s.Held)
	p.note("away")
	p.join(Handler{s.Period, s.Held}, true)
	p.note("joined")
	time.Sleep(2 * outage)
}

// cut lets the subject end its stream, if it has one.
func (p *player) cut(how func(int, func()), s Step) {
	if p.stopped {
		p.write(s.Writes)
		return
	}
	how(s.Cut, func() { p.write(s.Writes) })
}

func (p *player) relist(s Step) {
	after := p.revision()
	p.cut(p.subject.Relist, s)
	for _, r := range p.recorders {
		r.hide(hidden{after, p.revision()})
	}
}

// boot starts a new informer with the handlers of the script.
func (p *player) boot(age int, held bool) {
	var past *snapshotv1.VolumeSnapshotList
	if lag := Lag(age, len(p.past)-1-p.first); lag > 0 {
		past = p.past[len(p.past)-1-lag]
	}
	p.informer = p.subject.Informer(p.script.Resync, age, past)
	p.store = &shown{last: map[string]int64{}}
	must(p.informer.AddIndexers(cache.Indexers{"shown": p.store.index}))
	p.recorders, p.stopped = nil, false
	for _, h := range p.script.Handlers {
		p.join(Handler{h.Period, h.Held || held}, false)
	}
	ctx, cancel := context.WithCancel(context.Background())
	returned := make(chan struct{})
	p.cancel, p.returned = cancel, returned
	go func() {
		defer close(returned)
		p.informer.RunWithContext(ctx)
	}()
}

// halt stops the informer while its slow handlers are still slow, and then
// lets their callbacks return.
func (p *player) halt() {
	if p.stopped {
		return
	}
	p.stopped = true
	p.cancel()
	quiesce()
	for _, r := range p.recorders {
		r.drop()
	}
	<-p.returned
}

func (p *player) join(h Handler, late bool) {
	r := newRecorder(p.joined, late, h.Held, p.store)
	options := cache.HandlerOptions{}
	switch h.Period {
	case Never:
		options.ResyncPeriod = new(time.Duration)
	case EverySecond:
		options.ResyncPeriod = new(2 * p.script.Resync)
	}
	var err error
	if r.registration, err = p.informer.AddEventHandlerWithOptions(r, options); err != nil {
		if !p.stopped {
			panic(err)
		}
		return
	}
	p.joined++
	p.recorders = append(p.recorders, r)
}

// leave removes a handler while it is slow, if it is, and then lets its
// callback return.
func (p *player) leave(number int) {
	p.each(number, func(r *recorder) {
		must(p.informer.RemoveEventHandler(r.registration))
		quiesce()
		r.drop()
		r.registration = nil
	})
}

// each finds a handler that is still registered.
func (p *player) each(number int, do func(*recorder)) {
	there := slices.DeleteFunc(slices.Clone(p.recorders), func(r *recorder) bool { return r.registration == nil })
	if len(there) > 0 {
		do(there[number%len(there)])
	}
}

// note waits until nothing moves and writes down what was seen, and what is.
func (p *player) note(step string) {
	quiesce()
	m := Moment{Step: step, State: p.state()}
	for _, r := range p.recorders {
		m.Seen = append(m.Seen, r.take())
	}
	p.trace = append(p.trace, m)
}

func (p *player) state() []string {
	var held []string
	for _, o := range p.informer.GetStore().List() {
		s := o.(*snapshotv1.VolumeSnapshot)
		held = append(held, s.Name+identity(s))
	}
	slices.Sort(held)
	synced := []string{fmt.Sprint(p.informer.HasSynced())}
	for _, r := range p.recorders {
		if r.registration != nil {
			synced = append(synced, fmt.Sprint(r.registration.HasSynced()))
		}
	}
	return []string{
		"store: " + strings.Join(held, " "),
		"revision: " + p.informer.LastSyncResourceVersion(),
		"informer and handlers synced: " + strings.Join(synced, " "),
		fmt.Sprintf("stopped: %v", p.informer.IsStopped()),
	}
}

// look remembers the present state, if it is a new one.
func (p *player) look() {
	list, err := p.api.List(context.Background(), metav1.ListOptions{})
	must(err)
	if len(p.past) == 0 || p.past[len(p.past)-1].ResourceVersion != list.ResourceVersion {
		p.past = append(p.past, list)
	}
}

func (p *player) revision() int64 {
	n, err := strconv.ParseInt(p.past[len(p.past)-1].ResourceVersion, 10, 64)
	must(err)
	return n
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
