package fakes

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	exact        = metav1.ResourceVersionMatchExact
	notOlderThan = metav1.ResourceVersionMatchNotOlderThan
)

// five returns a cluster of widgets "a" to "e", of which "c" and "e" are
// labelled.
func five(t *testing.T, f Faults) (*Cluster, Client[*Widget, *WidgetList]) {
	c, api := withWidgets(f)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		w := widget(name)
		if name == "c" || name == "e" {
			w.Labels = map[string]string{"x": "y"}
		}
		require.NoError(t, c.Add(w))
	}
	return c, api
}

func names(l *WidgetList) (all []string) {
	for _, w := range l.Items {
		all = append(all, w.Name)
	}
	return all
}

// lister lists, and wants no error.
func lister(t *testing.T, api Client[*Widget, *WidgetList]) func(metav1.ListOptions) *WidgetList {
	return func(opts metav1.ListOptions) *WidgetList {
		t.Helper()
		l, err := api.List(ctx, opts)
		require.NoError(t, err)
		return l
	}
}

// A list in pages shows what there was when its first page was made, whatever
// has happened since.
func TestPagesAreOfOneRevision(t *testing.T) {
	c, api := five(t, Faults{})
	list := lister(t, api)
	first := list(metav1.ListOptions{Limit: 2})
	require.Equal(t, []string{"a", "b"}, names(first))
	require.Equal(t, int64(3), *first.RemainingItemCount)
	require.NoError(t, api.Delete(ctx, "c", metav1.DeleteOptions{}))
	require.NoError(t, c.Add(widget("ca")))
	changed := Lookup[*Widget](c, "default", "d").DeepCopyObject().(*Widget)
	changed.Spec.Size = 9
	_, err := api.Update(ctx, changed, metav1.UpdateOptions{})
	require.NoError(t, err)

	second := list(metav1.ListOptions{Limit: 2, Continue: first.Continue})
	require.Equal(t, []string{"c", "d"}, names(second))
	require.Equal(t, first.ResourceVersion, second.ResourceVersion)
	require.Zero(t, second.Items[1].Spec.Size)
	require.Equal(t, int64(1), *second.RemainingItemCount)
	last := list(metav1.ListOptions{Limit: 2, Continue: second.Continue})
	require.Equal(t, []string{"e"}, names(last))
	require.Empty(t, last.Continue)
	require.Nil(t, last.RemainingItemCount)
	require.Equal(t, []string{"a", "b", "ca", "d", "e"}, names(list(metav1.ListOptions{})))
}

func TestPagesOfASelection(t *testing.T) {
	_, api := five(t, Faults{})
	list := lister(t, api)
	first := list(metav1.ListOptions{Limit: 1, LabelSelector: "x=y"})
	require.Equal(t, []string{"c"}, names(first))
	require.Nil(t, first.RemainingItemCount, "the server would have to look at all of them")
	require.Equal(t, []string{"e"}, names(list(metav1.ListOptions{Limit: 1, LabelSelector: "x=y", Continue: first.Continue})))
	for _, opts := range []metav1.ListOptions{
		{Limit: 1, Continue: first.Continue},
		{Limit: 1, Continue: first.Continue, LabelSelector: "x=z"},
		{Limit: 1, Continue: first.Continue, LabelSelector: "x=y", ResourceVersion: first.ResourceVersion},
		{Limit: 1, Continue: "bm9uc2Vuc2U", LabelSelector: "x=y"},
		{ResourceVersion: "new"},
	} {
		_, err := api.List(ctx, opts)
		require.True(t, apierrors.IsBadRequest(err), "%+v: %v", opts, err)
	}
}

// A list that goes on after a compaction is refused, and with the refusal
// comes a token that goes on in the present.
func TestPagesExpire(t *testing.T) {
	c, api := five(t, Faults{})
	first := lister(t, api)(metav1.ListOptions{Limit: 2})
	require.NoError(t, api.Delete(ctx, "d", metav1.DeleteOptions{}))
	c.Compact()
	_, err := api.List(ctx, metav1.ListOptions{Limit: 2, Continue: first.Continue})
	require.True(t, apierrors.IsResourceExpired(err), err)
	var status apierrors.APIStatus
	require.True(t, errors.As(err, &status))
	rest := lister(t, api)(metav1.ListOptions{Limit: 2, Continue: status.Status().Continue})
	require.Equal(t, []string{"c", "e"}, names(rest))
	require.Equal(t, "6", rest.ResourceVersion)
}

func TestResourceVersionsOfLists(t *testing.T) {
	c, api := five(t, Faults{})
	require.NoError(t, api.Delete(ctx, "a", metav1.DeleteOptions{}))
	check := func(opts metav1.ListOptions, revision string, want ...string) {
		t.Helper()
		l := lister(t, api)(opts)
		require.Equal(t, want, names(l))
		require.Equal(t, revision, l.ResourceVersion)
	}
	check(metav1.ListOptions{ResourceVersion: "2", ResourceVersionMatch: exact}, "2", "a", "b")
	check(metav1.ListOptions{ResourceVersion: "2", Limit: 1}, "2", "a")
	check(metav1.ListOptions{ResourceVersion: "2"}, "6", "b", "c", "d", "e")
	check(metav1.ListOptions{ResourceVersion: "2", ResourceVersionMatch: notOlderThan, Limit: 1}, "6", "b")
	check(metav1.ListOptions{ResourceVersion: "0", Limit: 1}, "6", "b", "c", "d", "e")

	refused := func(opts metav1.ListOptions, want metav1.StatusReason) {
		t.Helper()
		_, err := api.List(ctx, opts)
		require.Equal(t, want, reason(err), "%+v: %v", opts, err)
	}
	refused(metav1.ListOptions{ResourceVersion: "7"}, metav1.StatusReasonTimeout)
	refused(metav1.ListOptions{ResourceVersion: "7", ResourceVersionMatch: exact}, metav1.StatusReasonTimeout)
	refused(metav1.ListOptions{ResourceVersionMatch: exact}, metav1.StatusReasonInvalid)
	refused(metav1.ListOptions{ResourceVersion: "0", ResourceVersionMatch: exact}, metav1.StatusReasonInvalid)
	c.Compact()
	refused(metav1.ListOptions{ResourceVersion: "5", ResourceVersionMatch: exact}, metav1.StatusReasonExpired)
	check(metav1.ListOptions{ResourceVersion: "6", ResourceVersionMatch: exact}, "6", "b", "c", "d", "e")
	check(metav1.ListOptions{ResourceVersion: "5"}, "6", "b", "c", "d", "e")
}

// The scheduler may compact whenever somebody asks for the past, and only
// then.
func TestCompactionIsAChoice(t *testing.T) {
	c, api := five(t, Faults{Compactions: 1})
	c.ask = func(string, int, int) int { return 1 }
	list := lister(t, api)
	first := list(metav1.ListOptions{Limit: 2})
	list(metav1.ListOptions{Limit: 2, Continue: first.Continue})
	require.Zero(t, c.Stats().Compactions, "that is the present")
	require.NoError(t, c.Add(widget("f")))
	_, err := api.List(ctx, metav1.ListOptions{Limit: 2, Continue: first.Continue})
	require.True(t, apierrors.IsResourceExpired(err), err)
	require.Equal(t, 1, c.Stats().Compactions)
}
