package script

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"syscall"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	client "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/typed/volumesnapshot/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// ClientGo is client-go's own shared informer, over any cluster. Between the
// two stands a server that ends streams and refuses calls when it is told to.
type ClientGo struct {
	// Get returns a client for all namespaces or for one.
	Get func(namespace string) client.VolumeSnapshotInterface

	// WatchList says that the server streams lists.
	WatchList bool

	// Streamed counts the lists that were streamed.
	Streamed int

	mutex   sync.Mutex
	stream  *stream
	past    *snapshotv1.VolumeSnapshotList // the answer to the next list
	refused []error                        // the answers to the next watches
	until   time.Time                      // when the server is back
}

var (
	errInternal = apierrors.NewInternalError(errors.New("the server has a bad day"))
	errExpired  = apierrors.NewResourceExpired("too old resource version")
	errBusy     = apierrors.NewTooManyRequests("slower", 1)
	errNoStream = apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "watch", snapshotv1.Resource("volumesnapshots"), "", "sendInitialEvents is forbidden", 0, true)
)

// API is part of Subject.
func (c *ClientGo) API(namespace string) client.VolumeSnapshotInterface { return c.Get(namespace) }

// Informer is part of Subject. A stale list is only ever served to an informer
// that lists, so the server refuses to stream one.
func (c *ClientGo) Informer(resync time.Duration, _ int, past *snapshotv1.VolumeSnapshotList) cache.SharedIndexInformer {
	c.past, c.refused = past, nil
	if past != nil && c.WatchList {
		c.refused = []error{errNoStream}
	}
	lw := listerWatcher{&cache.ListWatch{ListWithContextFunc: c.list, WatchFuncWithContext: c.watch}, c.WatchList}
	informer := cache.NewSharedIndexInformer(lw, &snapshotv1.VolumeSnapshot{}, resync, cache.Indexers{})
	must(informer.SetWatchErrorHandler(func(*cache.Reflector, error) {})) // it would log
	return informer
}

type listerWatcher struct {
	*cache.ListWatch
	streams bool
}

// IsWatchListSemanticsUnSupported is how client-go asks whether it must list.
func (l listerWatcher) IsWatchListSemanticsUnSupported() bool { return !l.streams }

func (c *ClientGo) list(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if time.Now().Before(c.until) {
		return nil, errInternal
	}
	if past := c.past; past != nil {
		c.past = nil
		return past.DeepCopy(), nil
	}
	return c.Get(metav1.NamespaceAll).List(ctx, o)
}

func (c *ClientGo) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if time.Now().Before(c.until) {
		return nil, errInternal
	}
	if len(c.refused) > 0 {
		err := c.refused[0]
		c.refused = c.refused[1:]
		return nil, err
	}
	inner, err := c.Get(metav1.NamespaceAll).Watch(ctx, o)
	if err != nil {
		return nil, err
	}
	if o.SendInitialEvents != nil && *o.SendInitialEvents {
		c.Streamed++
	}
	c.stream = newStream(inner)
	return c.stream, nil
}

// Rewatch is part of Subject. The stream ends like a watch that has timed out,
// or because the server is too busy, or restarts.
func (c *ClientGo) Rewatch(cut int, gap func()) {
	time.Sleep(time.Second) // or it would be a very short watch
	end := watch.Event{}
	switch cut % 3 {
	case 1:
		end = failure(errBusy)
	case 2:
		c.refused = []error{syscall.ECONNREFUSED, errBusy}
	}
	c.cut(end, gap)
}

// Relist is part of Subject. The stream ends because its revision is too old,
// because the server has failed, or before it has brought anything; or it
// cannot be opened again; or the server is away for a while.
func (c *ClientGo) Relist(cut int, gap func()) {
	switch cut % 5 {
	case 0:
		c.cut(failure(errExpired), gap)
	case 1:
		c.cut(failure(errInternal), gap)
	case 2:
		c.Rewatch(0, func() {})
		quiesce()
		c.cut(watch.Event{}, gap)
	case 3:
		time.Sleep(time.Second)
		c.refused = []error{errInternal}
		c.cut(watch.Event{}, gap)
	case 4:
		c.Away(outage)
		c.cut(failure(errExpired), gap)
		time.Sleep(outage)
	}
}

// cut ends the stream behind a gap.
func (c *ClientGo) cut(end watch.Event, gap func()) {
	s := c.stream
	close(s.held)
	quiesce()
	gap()
	quiesce()
	s.end <- end
}

// Away is part of Subject.
func (c *ClientGo) Away(while time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.until = time.Now().Add(while)
}

func failure(err *apierrors.StatusError) watch.Event {
	return watch.Event{Type: watch.Error, Object: &err.ErrStatus}
}

// stream is a watch that can be held and ended.
type stream struct {
	inner watch.Interface
	out   chan watch.Event
	held  chan struct{}    // closed when nothing more shall come through
	end   chan watch.Event // how it ends: with an error event, or with none
	done  chan struct{}
	stop  func()
}

func newStream(inner watch.Interface) *stream {
	s := &stream{
		inner: inner,
		out:   make(chan watch.Event),
		held:  make(chan struct{}),
		end:   make(chan watch.Event),
		done:  make(chan struct{}),
	}
	s.stop = sync.OnceFunc(func() { close(s.done) })
	go s.run()
	return s
}

// ResultChan is part of watch.Interface.
func (s *stream) ResultChan() <-chan watch.Event { return s.out }

// Stop is part of watch.Interface.
func (s *stream) Stop() { s.stop() }

func (s *stream) run() {
	defer close(s.out)
	defer s.inner.Stop()
	in, held := s.inner.ResultChan(), s.held
	for {
		select {
		case <-held:
			in, held = nil, nil
		case e, ok := <-in:
			if !ok {
				return
			}
			s.send(e)
		case end := <-s.end:
			if end.Type != "" {
				s.send(end)
			}
			return
		case <-s.done:
			return
		}
	}
}

func (s *stream) send(e watch.Event) {
	select {
	case s.out <- e:
	case <-s.done:
	}
}
