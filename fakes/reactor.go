package fakes

import (
	"context"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"
)

// Answer makes a generated fake clientset ask the cluster for whatever reaches
// it, such as
//
//	widgets := widgetfake.NewSimpleClientset()
//	clients.Answer(&widgets.Fake)
//
// From then on the fake's own object tracker, its reactors and its Actions
// play no part. It drops contexts, and orders those who call it by its lock;
// see ClientFor for a client that does not.
func (c Clients) Answer(fake *clienttesting.Fake) {
	fake.ReactionChain, fake.WatchReactionChain = nil, nil
	c.caller.answer(fake)
}

func (a *caller) answer(fake *clienttesting.Fake) {
	fake.AddReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		// A fake holds its lock while reactors run. No point may be reached
		// under it, and when the process ends at one, the fake's own deferred
		// unlock must still find it locked.
		fake.Unlock()
		defer fake.Lock()
		fake.ClearActions() // or they would grow without end
		o, err := a.react(action)
		return true, o, err
	})
	fake.AddWatchReactor("*", func(action clienttesting.Action) (bool, watch.Interface, error) {
		fake.Unlock()
		defer fake.Lock()
		fake.ClearActions()
		w, err := a.reactToWatch(action)
		return true, w, err
	})
}

// react answers one action. The fakes keep no context, so none can end it.
func (a *caller) react(action clienttesting.Action) (runtime.Object, error) {
	ctx := context.Background()
	t := a.cluster.tableFor(action.GetResource())
	if t == nil {
		return nil, notServed(action)
	}
	namespace, subresource := action.GetNamespace(), action.GetSubresource()
	if checkSubresource(t, subresource) != nil {
		return nil, notServed(action)
	}
	switch action := action.(type) {
	case clienttesting.GetActionImpl:
		return copied(a.get(ctx, t, namespace, action.Name, action.GetOptions.ResourceVersion))
	case clienttesting.ListActionImpl:
		p, err := a.list(ctx, t, namespace, action.ListOptions)
		return t.listOf(p), err
	case clienttesting.CreateActionImpl:
		if o, ok := action.Object.(object); ok && subresource == "" {
			return copied(a.create(ctx, t, namespace, o, action.CreateOptions.DryRun))
		}
	case clienttesting.UpdateActionImpl:
		if o, ok := action.Object.(object); ok {
			return copied(a.update(ctx, t, namespace, subresource, o, action.UpdateOptions.DryRun))
		}
	case clienttesting.PatchActionImpl:
		if err := checkDryRun(action.PatchOptions.DryRun); err != nil {
			return nil, err
		}
		return copied(a.patch(ctx, t, namespace, action.Name, subresource, patch{action.PatchType, action.Patch}))
	case clienttesting.DeleteActionImpl:
		return nil, a.remove(ctx, t, namespace, action.Name, action.DeleteOptions)
	case clienttesting.DeleteCollectionActionImpl:
		return nil, a.removeAll(ctx, t, namespace, action.DeleteOptions, action.ListOptions)
	}
	return nil, notServed(action)
}

func (a *caller) reactToWatch(action clienttesting.Action) (watch.Interface, error) {
	t := a.cluster.tableFor(action.GetResource())
	impl, ok := action.(clienttesting.WatchActionImpl)
	if t == nil || !ok {
		return nil, notServed(action)
	}
	return a.watch(context.Background(), t, action.GetNamespace(), impl.ListOptions)
}

func copied(r *record, err error) (runtime.Object, error) {
	if err != nil {
		return nil, err
	}
	return r.object.DeepCopyObject(), nil
}

// notServed is the answer to what this cluster does not know.
func notServed(action clienttesting.Action) error {
	return apierrors.NewGenericServerResponse(http.StatusNotFound, action.GetVerb(),
		action.GetResource().GroupResource(), "", "", 0, true)
}
