package fakes

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// story writes down what a handler sees.
type story struct {
	mutex sync.Mutex
	lines []string
}

func (s *story) tell(format string, args ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// told returns the lines since the last call, after everybody is done.
func (s *story) told() []string {
	synctest.Wait()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	lines := s.lines
	s.lines = nil
	return lines
}

func state(o any) string {
	p := o.(*corev1.Pod)
	return p.Name + "@" + p.ResourceVersion
}

func (s *story) OnAdd(o any, initial bool) { s.tell("add %s %v", state(o), initial) }

func (s *story) OnUpdate(old, o any) {
	same := ""
	if old == o {
		same = " same"
	}
	s.tell("update %s %s%s", state(old), state(o), same)
}

func (s *story) OnDelete(o any) {
	if lost, ok := o.(cache.DeletedFinalStateUnknown); ok {
		s.tell("lost %s %s", lost.Key, state(lost.Obj))
		return
	}
	s.tell("delete %s", state(o))
}

// stage is a cluster with one informer that runs in a bubble.
type stage struct {
	*Cluster
	t        *testing.T
	informer *Informer
	answers  []int // to the coming questions; then zeros
	stop     func()
}

func perform(t *testing.T, o Options, play func(*stage)) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{Cluster: NewCluster(o), t: t}
		s.ask = s.answer
		play(s)
		if s.stop != nil {
			s.stop()
		}
	})
}

func (s *stage) answer(label string, n, rare int) int {
	if len(s.answers) == 0 {
		return 0
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	return a
}

func (s *stage) start(handlers ...cache.ResourceEventHandler) (registrations []cache.ResourceEventHandlerRegistration) {
	s.informer = s.Informers().Pods().(*Informer)
	for _, h := range handlers {
		r, err := s.informer.AddEventHandler(h)
		require.NoError(s.t, err)
		registrations = append(registrations, r)
	}
	running, cancel := context.WithCancel(ctx)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		s.informer.RunWithContext(running)
	}()
	s.stop = func() {
		cancel()
		<-finished
	}
	return registrations
}

func (s *stage) create(names ...string) {
	for _, n := range names {
		_, err := s.Clients().Kubernetes.CoreV1().Pods("default").Create(ctx, pod(n), metav1.CreateOptions{})
		require.NoError(s.t, err)
	}
}

func (s *stage) touch(name string) {
	p := pod(name)
	p.Labels = map[string]string{"touched": fmt.Sprint(s.Revision())}
	_, err := s.Clients().Kubernetes.CoreV1().Pods("default").Update(ctx, p, metav1.UpdateOptions{})
	require.NoError(s.t, err)
}

func (s *stage) delete(name string) {
	require.NoError(s.t, s.Clients().Kubernetes.CoreV1().Pods("default").Delete(ctx, name, metav1.DeleteOptions{}))
}

func (s *stage) keys() []string { return s.informer.GetStore().ListKeys() }

func TestInformerFollowsTheStream(t *testing.T) {
	perform(t, Options{}, func(s *stage) {
		s.create("b", "a")
		h := new(story)
		r := s.start(h)[0]
		require.Equal(t, []string{"add a@2 true", "add b@1 true"}, h.told())
		require.True(t, s.informer.HasSynced() && r.HasSynced())
		s.touch("a")
		s.create("c")
		s.delete("a")
		s.create("a")
		want := []string{"update a@2 a@3", "add c@4 false", "delete a@5", "add a@6 false"}
		require.Equal(t, want, h.told())
		require.Equal(t, []string{"default/a", "default/b", "default/c"}, s.keys())
		require.Equal(t, "6", s.informer.LastSyncResourceVersion())
	})
}

func TestRelistHidesWhatHappened(t *testing.T) {
	perform(t, Options{Faults: Faults{Relists: 1}}, func(s *stage) {
		s.create("a", "b", "c")
		h := new(story)
		s.start(h)
		h.told()
		s.answers = []int{1}
		s.touch("a")
		synctest.Wait() // the stream breaks at this change
		s.touch("a")
		s.delete("b")
		s.delete("c")
		s.create("c", "d")
		s.create("gone")
		gone := s.Pod("default", "gone").UID
		s.delete("gone")
		require.Empty(t, h.told())
		require.False(t, s.Missed(gone), "the stream may still go on")
		time.Sleep(relistBackoff)
		want := []string{"lost default/b b@2", "update a@1 a@5", "update c@3 c@8", "add d@9 false"}
		require.Equal(t, want, h.told())
		require.True(t, s.Missed(gone))
		require.False(t, s.Missed(s.Pod("default", "c").UID), "it was created there, but is in the list")
		require.False(t, s.Missed(s.Pod("default", "a").UID))
		s.touch("d")
		require.Equal(t, []string{"update d@9 d@12"}, h.told(), "the stream goes on from the list")
		s.create("seen")
		seen := s.Pod("default", "seen").UID
		s.delete("seen")
		synctest.Wait()
		require.False(t, s.Missed(seen))
		require.True(t, s.Missed(gone))
		require.Equal(t, 1, s.Stats().Relists)
		s.stop()
		require.True(t, s.Missed(gone), "its successor is not there yet")
		s.start()
		synctest.Wait()
		require.False(t, s.Missed(gone), "who starts later need not be told: there is nothing in its list")
	})
}

// Several handlers, a store that is ahead, and a relist that changed nothing.
func TestRelistRepeatsWhatIsUnchanged(t *testing.T) {
	perform(t, Options{Faults: Faults{Relists: 1}}, func(s *stage) {
		s.create("a", "b")
		h, other := new(story), new(story)
		s.start(h, other)
		h.told()
		other.told()
		s.answers = []int{1}
		s.touch("b")
		time.Sleep(relistBackoff)
		want := []string{"update a@1 a@1", "update b@2 b@3"}
		require.Equal(t, want, h.told(), "a relist decodes anew: the pointers differ")
		require.Equal(t, want, other.told())
	})
}

func TestResyncByChoice(t *testing.T) {
	perform(t, Options{Faults: Faults{Resyncs: 1}}, func(s *stage) {
		s.create("a", "b")
		h := new(story)
		s.start(h)
		h.told()
		s.answers = []int{1}
		s.touch("a")
		want := []string{"update a@1 a@1 same", "update b@2 b@2 same", "update a@1 a@3"}
		require.Equal(t, want, h.told())
	})
}

func TestResyncByPeriod(t *testing.T) {
	perform(t, Options{ResyncPeriod: time.Minute}, func(s *stage) {
		s.create("a")
		h, slow := new(story), new(story)
		s.informer = nil
		s.start(h)
		_, err := s.informer.AddEventHandlerWithResyncPeriod(slow, 150*time.Second)
		require.NoError(t, err)
		h.told()
		slow.told()
		time.Sleep(time.Minute)
		require.Equal(t, []string{"update a@1 a@1 same"}, h.told())
		require.Empty(t, slow.told(), "not due yet")
		time.Sleep(2 * time.Minute)
		require.Len(t, h.told(), 2)
		require.Equal(t, []string{"update a@1 a@1 same"}, slow.told())
	})
}

func TestRestartMayStartFromAnOldList(t *testing.T) {
	perform(t, Options{Faults: Faults{StaleLists: 1}}, func(s *stage) {
		s.create("a", "b")
		s.start(new(story))
		synctest.Wait()
		s.touch("a")
		s.delete("b")
		s.create("c")
		s.stop()

		h := new(story)
		s.answers = []int{3} // three changes ago: 0, 1, 2, 3
		s.start(h)
		want := []string{"add a@1 true", "add b@2 true", "update a@1 a@3", "delete b@4", "add c@5 false"}
		require.Equal(t, want, h.told())
		s.stop()
		s.start(h)
		require.Equal(t, []string{"add a@3 true", "add c@5 true"}, h.told(), "one stale list was allowed")
	})
}

// blocker is a handler that waits in each add.
type blocker struct {
	story
	gate chan struct{}
}

func (b *blocker) OnAdd(o any, initial bool) {
	<-b.gate
	b.story.OnAdd(o, initial)
}

func TestSlowHandlerDelaysNobodyElse(t *testing.T) {
	perform(t, Options{}, func(s *stage) {
		s.create("a", "b")
		slow, fast := &blocker{gate: make(chan struct{})}, new(story)
		registrations := s.start(slow, fast)
		require.Len(t, fast.told(), 2)
		require.True(t, s.informer.HasSynced())
		require.True(t, registrations[1].HasSynced())
		require.False(t, registrations[0].HasSynced(), "its first add has not returned")
		s.delete("a")
		synctest.Wait()
		require.Equal(t, []string{"default/b"}, s.keys(), "the store is ahead of the handler")
		close(slow.gate)
		require.Equal(t, []string{"add a@1 true", "add b@2 true", "delete a@3"}, slow.told())
		require.True(t, registrations[0].HasSynced())
	})
}

func TestLateHandler(t *testing.T) {
	perform(t, Options{}, func(s *stage) {
		s.create("a", "b")
		s.start()
		synctest.Wait()
		late := new(story)
		r, err := s.informer.AddEventHandler(late)
		require.NoError(t, err)
		s.create("c")
		require.Equal(t, []string{"add a@1 true", "add b@2 true", "add c@3 false"}, late.told())
		require.True(t, r.HasSynced())
		require.NoError(t, cache.ShutDownEventHandler(s.informer, r))
		s.create("d")
		require.Empty(t, late.told())
		require.NoError(t, s.informer.RemoveEventHandler(r), "a second time is no error")
	})
}

func TestStopDropsTheBacklog(t *testing.T) {
	perform(t, Options{}, func(s *stage) {
		s.create("a", "b", "c")
		slow := &blocker{gate: make(chan struct{})}
		s.start(slow)
		synctest.Wait()
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			s.stop()
		}()
		synctest.Wait()
		require.False(t, closed(stopped), "a callback is in flight")
		close(slow.gate)
		<-stopped
		require.Equal(t, []string{"add a@1 true"}, slow.told())
		require.True(t, s.informer.IsStopped())
		_, err := s.informer.AddEventHandler(new(story))
		require.ErrorContains(t, err, "stopped already")
		s.informer.Run(nil) // returns at once
	})
}

func TestTransform(t *testing.T) {
	perform(t, Options{}, func(s *stage) {
		s.create("a", "b")
		s.informer = s.Informers().Pods().(*Informer)
		require.NoError(t, s.informer.SetTransform(func(o any) (any, error) {
			p := o.(*corev1.Pod)
			if p.Name == "b" {
				return nil, fmt.Errorf("no b")
			}
			p.Annotations = map[string]string{"transformed": "yes"}
			return p, nil
		}))
		running, cancel := context.WithCancel(ctx)
		go s.informer.RunWithContext(running)
		synctest.Wait()
		require.Equal(t, []string{"default/a"}, s.keys())
		o, _, _ := s.informer.GetIndexer().GetByKey("default/a")
		require.Equal(t, "yes", o.(*corev1.Pod).Annotations["transformed"])
		require.Nil(t, s.Pod("default", "a").Annotations, "the cluster's object is untouched")
		require.Error(t, s.informer.SetTransform(nil))
		cancel()
		synctest.Wait()
	})
}

func TestInformersRunWhatWasAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCluster(Options{})
		set := c.Informers()
		claims := set.PersistentVolumeClaims()
		running, cancel := context.WithCancel(ctx)
		finished := make(chan struct{})
		go func() {
			defer close(finished)
			set.Run(running)
		}()
		synctest.Wait()
		require.True(t, claims.HasSynced())
		require.False(t, set.Pods().HasSynced())
		require.True(t, cache.WaitFor(ctx, "", claims.HasSyncedChecker()))
		cancel()
		<-finished
	})
}

func TestListsAreInKeyOrder(t *testing.T) {
	perform(t, Options{}, func(s *stage) {
		names := []string{"e", "b", "d", "a", "c"}
		s.create(names...)
		s.start()
		synctest.Wait()
		slices.Sort(names)
		var got []string
		byNamespace, err := s.informer.GetIndexer().ByIndex(cache.NamespaceIndex, "default")
		require.NoError(t, err)
		for _, o := range byNamespace {
			got = append(got, o.(*corev1.Pod).Name)
		}
		require.Equal(t, names, got)
	})
}
