package fakes

//lint:file-ignore SA1019 the API server still honours OrphanDependents

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/snapstorm/snapstorm/sim/explore"
	"github.com/snapstorm/snapstorm/sim/sched"
)

// ownedBy returns a pod whose owners are these widgets, as the cluster has
// them; all block.
func ownedBy(name string, owners ...*Widget) *corev1.Pod {
	p := pod(name)
	for _, o := range owners {
		p.OwnerReferences = append(p.OwnerReferences, metav1.OwnerReference{
			APIVersion: "example.com/v1", Kind: "Widget", Name: o.Name, UID: o.UID, BlockOwnerDeletion: new(true),
		})
	}
	return p
}

// withUID returns a widget that will have this UID.
func withUID(name string, uid types.UID) *Widget {
	w := widget(name)
	w.UID = uid
	return w
}

// collecting runs the garbage collector over a cluster in a bubble.
func collecting(t *testing.T, play func(*Cluster, Client[*Widget, *WidgetList])) {
	synctest.Test(t, func(t *testing.T) {
		c, api := withWidgets(Faults{})
		running, cancel := context.WithCancel(ctx)
		defer synctest.Wait()
		defer cancel()
		go c.GarbageCollector(running)
		play(c, api)
	})
}

// left returns the names of the pods that are there.
func left(c *Cluster) string {
	synctest.Wait()
	var all []string
	for _, p := range c.Pods() {
		all = append(all, p.Name)
	}
	return strings.Join(all, " ")
}

// A dependent stays as long as one of its owners does; what counts is the UID
// of an owner and not its name.
func TestGarbageIsWhatHasNoOwnerLeft(t *testing.T) {
	collecting(t, func(c *Cluster, api Client[*Widget, *WidgetList]) {
		first, second := withUID("first", "1"), withUID("second", "2")
		require.NoError(t, c.Add(first, second, pod("free"), ownedBy("one", first), ownedBy("both", first, second)))
		require.Equal(t, "both free one", left(c))
		require.NoError(t, api.Delete(ctx, "first", metav1.DeleteOptions{}))
		require.Equal(t, "both free", left(c))
		require.Equal(t, types.UID("2"), c.Pod("default", "both").OwnerReferences[0].UID)
		require.Len(t, c.Pod("default", "both").OwnerReferences, 1, "the reference to what is gone goes")

		require.NoError(t, api.Delete(ctx, "second", metav1.DeleteOptions{}))
		require.NoError(t, c.Add(withUID("second", "other")))
		require.Equal(t, "free", left(c), "another object of that name is no owner")
	})
}

func TestGarbageOfReferencesThatLeadNowhere(t *testing.T) {
	collecting(t, func(c *Cluster, _ Client[*Widget, *WidgetList]) {
		elsewhere := withUID("w", "1")
		elsewhere.Namespace = "other"
		unknown := ownedBy("unknown", withUID("w", "2"))
		unknown.OwnerReferences[0].Kind = "Gadget"
		rack := &Rack{ObjectMeta: metav1.ObjectMeta{Name: "r", OwnerReferences: ownedBy("", elsewhere).OwnerReferences}}
		require.NoError(t, c.Add(elsewhere, ownedBy("born-late", withUID("gone", "3")), ownedBy("across", elsewhere), unknown, rack))
		require.Equal(t, "unknown", left(c), "there are no owners in other namespaces, and of unknown kinds nothing is known")
		require.Len(t, Objects[*Rack](c), 1, "a reference from a cluster-scoped object to a namespaced one is invalid")
	})
}

// In the background the owner goes first, in the foreground last.
func TestPropagationPolicies(t *testing.T) {
	check := func(policy *metav1.DeletionPropagation, want ...string) {
		t.Helper()
		collecting(t, func(c *Cluster, api Client[*Widget, *WidgetList]) {
			owner := withUID("w", "1")
			require.NoError(t, c.Add(owner, ownedBy("p", owner)))
			synctest.Wait()
			require.NoError(t, api.Delete(ctx, "w", metav1.DeleteOptions{PropagationPolicy: policy}))
			synctest.Wait()
			var got []string
			for _, ch := range c.Changes()[2:] {
				got = append(got, string(ch.Type)+" "+ch.Resource)
			}
			require.Equal(t, want, got)
		})
	}
	check(nil, "DELETED widgets", "DELETED pods")
	check(new(metav1.DeletePropagationBackground), "DELETED widgets", "DELETED pods")
	check(new(metav1.DeletePropagationForeground), "MODIFIED widgets", "DELETED pods", "DELETED widgets")
	check(new(metav1.DeletePropagationOrphan), "MODIFIED widgets", "MODIFIED pods", "DELETED widgets")
}

// An owner that is deleted in the foreground waits for dependents that block
// it, even those that something else holds, and for no others.
func TestForegroundWaits(t *testing.T) {
	collecting(t, func(c *Cluster, api Client[*Widget, *WidgetList]) {
		owner := withUID("w", "1")
		held, free := ownedBy("held", owner), ownedBy("free", owner)
		held.Finalizers, free.Finalizers = []string{"example.com/mine"}, []string{"example.com/mine"}
		free.OwnerReferences[0].BlockOwnerDeletion = nil
		require.NoError(t, c.Add(owner, held, free))
		synctest.Wait() // the collector waits only for what it has heard of
		require.NoError(t, api.Delete(ctx, "w", metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationForeground)}))
		require.Equal(t, "free held", left(c))
		require.NotNil(t, c.Pod("default", "held").DeletionTimestamp)
		require.NotNil(t, Lookup[*Widget](c, "default", "w"))

		letGo := []byte(`{"metadata":{"finalizers":null}}`)
		_, err := c.Clients().Kubernetes.CoreV1().Pods("default").Patch(ctx, "held", types.MergePatchType, letGo, metav1.PatchOptions{})
		require.NoError(t, err)
		require.Equal(t, "free", left(c))
		require.Nil(t, Lookup[*Widget](c, "default", "w"))
	})
}

// Dependents that are owners themselves are deleted in the foreground, too.
func TestForegroundGoesDown(t *testing.T) {
	collecting(t, func(c *Cluster, api Client[*Widget, *WidgetList]) {
		top, middle := withUID("top", "1"), withUID("middle", "2")
		middle.OwnerReferences = ownedBy("", top).OwnerReferences
		require.NoError(t, c.Add(top, middle, ownedBy("bottom", middle)))
		synctest.Wait()
		require.NoError(t, api.Delete(ctx, "top", metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationForeground)}))
		synctest.Wait()
		var order []string
		for _, ch := range c.Changes()[3:] {
			if ch.Type == "DELETED" {
				order = append(order, ch.Key)
			}
		}
		require.Equal(t, []string{"default/bottom", "default/middle", "default/top"}, order)
	})
}

// A job leaves its pods behind unless it is told otherwise.
func TestJobsOrphanByThemselves(t *testing.T) {
	collecting(t, func(c *Cluster, _ Client[*Widget, *WidgetList]) {
		job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "j", UID: "1"}}
		p := ownedBy("p", withUID("j", "1"))
		p.OwnerReferences[0].APIVersion, p.OwnerReferences[0].Kind = "batch/v1", "Job"
		require.NoError(t, c.Add(job, p))
		synctest.Wait()
		require.NoError(t, c.Clients().Kubernetes.BatchV1().Jobs("default").Delete(ctx, "j", metav1.DeleteOptions{}))
		require.Equal(t, "p", left(c))
		require.Empty(t, c.Pod("default", "p").OwnerReferences)
		require.Empty(t, Objects[*batchv1.Job](c))
	})
}

// A policy is kept as a finalizer: the last deletion that names one counts,
// and without a collector the object stays.
func TestPolicyIsAFinalizer(t *testing.T) {
	c, api := withWidgets(Faults{})
	require.NoError(t, c.Add(widget("w")))
	remove := func(opts metav1.DeleteOptions) *Widget {
		require.NoError(t, api.Delete(ctx, "w", opts))
		return Lookup[*Widget](c, "default", "w")
	}
	w := remove(metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationForeground)})
	require.Equal(t, []string{metav1.FinalizerDeleteDependents}, w.Finalizers)
	require.Equal(t, int64(2), w.Generation)
	same := remove(metav1.DeleteOptions{})
	require.Equal(t, w.ResourceVersion, same.ResourceVersion)
	w = remove(metav1.DeleteOptions{OrphanDependents: new(true)})
	require.Equal(t, []string{metav1.FinalizerOrphanDependents}, w.Finalizers)
	require.Equal(t, int64(2), w.Generation, "it was being deleted already")
	require.Nil(t, remove(metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)}))

	err := api.Delete(ctx, "w", metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletionPropagation("Sideways"))})
	require.Equal(t, metav1.StatusReasonInvalid, reason(err))
	err = api.Delete(ctx, "w", metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationOrphan), OrphanDependents: new(true)})
	require.Equal(t, metav1.StatusReasonInvalid, reason(err))
}

// collected runs a world in which a program creates dependents of a widget
// while it deletes and recreates it.
func collected(t *testing.T, seed uint64) (result sched.Result, c *Cluster) {
	synctest.Test(t, func(t *testing.T) {
		w := sched.New(sched.Options{Horizon: time.Hour}, explore.NewRandom(seed, 0))
		defer w.End()
		c = NewCluster(Options{Types: []Type{widgets}})
		w.NewActor("garbage collector", c.GarbageCollector)
		w.NewProcess("program", func(ctx context.Context) {
			api, pods := ClientFor[*Widget, *WidgetList](c.Clients(), "default"), c.Clients().Kubernetes.CoreV1().Pods("default")
			for _, policy := range []metav1.DeletionPropagation{"Foreground", "Background", "Foreground"} {
				owner, err := api.Create(ctx, widget("w"), metav1.CreateOptions{})
				if err != nil {
					continue
				}
				_, _ = pods.Create(ctx, ownedBy("p", owner), metav1.CreateOptions{})
				_ = api.Delete(ctx, "w", metav1.DeleteOptions{PropagationPolicy: &policy})
				_, _ = pods.Create(ctx, ownedBy("late", owner), metav1.CreateOptions{})
			}
		}, 1)
		w.Run(nil)
		result = w.Result()
	})
	return result, c
}

// In the end no garbage is left, however late the collector was, and the same
// answers give the same world.
func TestCollectorSettlesAndIsDeterministic(t *testing.T) {
	hashes := map[uint64]bool{}
	for seed := range uint64(40) {
		first, c := collected(t, seed)
		require.Empty(t, first.Findings, "seed %d", seed)
		owners := Objects[*Widget](c)
		for _, p := range c.Pods() {
			require.True(t, len(owners) == 1 && p.OwnerReferences[0].UID == owners[0].UID, "seed %d: %s is left", seed, p.Name)
		}
		second, _ := collected(t, seed)
		require.Equal(t, first.Hash, second.Hash, "seed %d gave two worlds", seed)
		hashes[first.Hash] = true
	}
	require.Greater(t, len(hashes), 30)
}
