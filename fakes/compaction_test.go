package fakes

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// ends reads a watch to its end, which must be an event Expired, and returns
// what came before.
func ends(t *testing.T, w watch.Interface) (before []string) {
	t.Helper()
	for {
		event, open := <-w.ResultChan()
		require.True(t, open, "closed without an error")
		if event.Type != watch.Error {
			before = append(before, string(event.Type)+" "+event.Object.(*corev1.Pod).Name)
			continue
		}
		status := event.Object.(*metav1.Status)
		require.Equal(t, metav1.StatusReasonExpired, status.Reason)
		require.Equal(t, int32(410), status.Code)
		require.Equal(t, "closed", seen(w))
		return before
	}
}

// A watch from a revision is refused once something after that revision was
// compacted away, though nothing of its own resource may have been. The
// refusal comes as an event.
func TestWatchFromACompactedRevision(t *testing.T) {
	c, api, _ := podsOf(t)
	require.NoError(t, c.Add(claim("other"), claim("more"), pod("c")))
	c.Compact()
	w, err := api.Watch(ctx, metav1.ListOptions{ResourceVersion: "2"})
	require.NoError(t, err)
	require.Empty(t, ends(t, w))

	w, err = api.Watch(ctx, metav1.ListOptions{ResourceVersion: "3"})
	require.NoError(t, err)
	defer w.Stop()
	require.Equal(t, "ADDED c", seen(w))
	w, err = api.Watch(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	defer w.Stop()
	require.Equal(t, "ADDED a", seen(w), "the present is never compacted")
}

// What a watch has not sent may be compacted away under it.
func TestCompactionEndsAWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, api, _ := podsOf(t)
		require.NoError(t, c.Add(pod("b"), pod("c"), pod("d"), pod("e")))
		c.options.Faults.Compactions = 1
		asked := 0 // by the request, and before each change
		c.ask = func(string, int, int) int { asked++; return asked / 3 }
		w, err := api.Watch(ctx, metav1.ListOptions{ResourceVersion: "1"})
		require.NoError(t, err)
		require.Equal(t, []string{"ADDED b"}, ends(t, w))
		require.Equal(t, 1, c.Stats().Compactions)
	})
}

// A watch from a revision that is yet to come does not see what comes before.
func TestWatchFromTheFuture(t *testing.T) {
	c, api, _ := podsOf(t)
	w, err := api.Watch(ctx, metav1.ListOptions{ResourceVersion: "2"})
	require.NoError(t, err)
	defer w.Stop()
	require.NoError(t, c.Add(pod("b"), pod("c")))
	require.Equal(t, "ADDED c", seen(w))
}

// A bookmark says how far the whole cluster is, so that a watch of a quiet
// resource is not left behind.
func TestBookmarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCluster(Options{Faults: Faults{Bookmarks: 2}})
		answers := []int{0, 1, 1}
		c.ask = func(string, int, int) int { a := answers[0]; answers = answers[1:]; return a }
		require.NoError(t, c.Add(pod("a")))
		start := time.Now()
		open := func(bookmarks bool) watch.Interface {
			w, err := c.Clients().Kubernetes.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{ResourceVersion: "1", AllowWatchBookmarks: bookmarks})
			require.NoError(t, err)
			return w
		}
		w, without := open(true), open(false)
		require.NoError(t, c.Add(claim("other")))
		for n := range 2 {
			event := <-w.ResultChan()
			require.Equal(t, watch.Bookmark, event.Type)
			require.Equal(t, "2", event.Object.(*corev1.Pod).ResourceVersion)
			require.Equal(t, time.Duration(n+2)*bookmarkPeriod, time.Since(start))
		}
		time.Sleep(time.Hour)
		require.Empty(t, answers, "no more questions than there are bookmarks")
		w.Stop()
		without.Stop()
		require.Equal(t, "closed", seen(w))
		require.Equal(t, "closed", seen(without))
		require.Equal(t, 2, c.Stats().Bookmarks)
	})
}

func TestInitialEventsEndWithABookmarkOnlyIfAllowed(t *testing.T) {
	c, api, _ := podsOf(t)
	opts := metav1.ListOptions{SendInitialEvents: new(true), ResourceVersionMatch: notOlderThan}
	w, err := api.Watch(ctx, opts)
	require.NoError(t, err)
	defer w.Stop()
	require.Equal(t, "ADDED a", seen(w))
	require.NoError(t, c.Add(pod("b")))
	require.Equal(t, "ADDED b", seen(w))
	opts.ResourceVersionMatch = ""
	_, err = api.Watch(ctx, opts)
	require.Equal(t, metav1.StatusReasonInvalid, reason(err))
}
