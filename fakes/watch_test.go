package fakes

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// seen returns what a watch reports next, as "TYPE name", or "closed".
func seen(w watch.Interface) string {
	event, open := <-w.ResultChan()
	if !open {
		return "closed"
	}
	if event.Type == watch.Bookmark {
		return "BOOKMARK " + event.Object.(*corev1.Pod).Annotations[metav1.InitialEventsAnnotationKey]
	}
	return string(event.Type) + " " + event.Object.(*corev1.Pod).Name
}

func TestWatch(t *testing.T) {
	c, api, a := podsOf(t)
	require.NoError(t, c.Add(pod("b")))
	check := func(opts metav1.ListOptions, want ...string) {
		t.Helper()
		w, err := api.Watch(ctx, opts)
		require.NoError(t, err)
		defer w.Stop()
		for _, line := range want {
			require.Equal(t, line, seen(w))
		}
	}
	check(metav1.ListOptions{}, "ADDED a", "ADDED b")
	check(metav1.ListOptions{ResourceVersion: "1"}, "ADDED b")
	check(metav1.ListOptions{FieldSelector: "metadata.name=b"}, "ADDED b")
	check(metav1.ListOptions{SendInitialEvents: new(true), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan, AllowWatchBookmarks: true, ResourceVersion: "1"}, "ADDED a", "ADDED b", "BOOKMARK true")

	w, err := api.Watch(ctx, metav1.ListOptions{LabelSelector: "x=y", ResourceVersion: "2"})
	require.NoError(t, err)
	for _, labels := range []map[string]string{{"x": "y"}, {"x": "y", "more": "z"}, nil} {
		a.Labels = labels
		a, err = api.Update(ctx, a, metav1.UpdateOptions{})
		require.NoError(t, err)
	}
	require.Equal(t, "ADDED a", seen(w))
	require.Equal(t, "MODIFIED a", seen(w))
	gone := <-w.ResultChan()
	require.Equal(t, watch.Deleted, gone.Type, "what no longer matches is gone for the watch")
	require.Equal(t, "y", gone.Object.(*corev1.Pod).Labels["x"], "in the last state that did match")
	require.Equal(t, a.ResourceVersion, gone.Object.(*corev1.Pod).ResourceVersion)
	w.Stop()
	require.Equal(t, "closed", seen(w))
	_, err = api.Watch(ctx, metav1.ListOptions{ResourceVersion: "old"})
	require.Equal(t, metav1.StatusReasonUnknown, reason(err), "the server has no better answer")
}

func TestWatchEndsWithItsContext(t *testing.T) {
	_, api, _ := podsOf(t)
	short, cancel := context.WithCancel(ctx)
	w, err := api.Watch(short, metav1.ListOptions{ResourceVersion: "1"})
	require.NoError(t, err)
	cancel()
	require.Equal(t, "closed", seen(w))
}

func TestServerMayCloseAWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCluster(Options{Faults: Faults{WatchEnds: 1}})
		c.ask = func(string, int, int) int { return 1 }
		start := time.Now()
		w, err := c.Clients().Kubernetes.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{})
		require.NoError(t, err)
		require.Equal(t, "closed", seen(w))
		require.Equal(t, watchLife, time.Since(start))
		require.Equal(t, 1, c.Stats().WatchEnds)
	})
}
