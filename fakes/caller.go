package fakes

import (
	"context"
	"net"
	"net/url"
	"os"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/snapstorm/snapstorm/sim"
)

// caller is one client's connection to the API server. Every request of every
// client and actor goes through it.
type caller struct {
	cluster *Cluster
	process *sim.Process // whose client it is; nil for actors and plain tests
}

// call makes one request: a point, the operation, and its effect.
func (a *caller) call(ctx context.Context, verb string, t *table, key string, operation func() (*record, error)) (*record, error) {
	what := t.kind.resource.Resource + " " + key
	if err := a.refuse(ctx); err != nil {
		sim.Step(verb, what)
		wait(ctx, refusal) // or a loop of tries would not end
		return nil, err
	}
	mishap := a.mishap(verb, what, t.kind.resource.Resource)
	err := a.before(ctx, mishap, t, key, verb)
	if err == nil {
		err = a.refuse(ctx) // it may have ended while the request was under way
	}
	if err != nil {
		return nil, err
	}
	var r *record
	err = a.cluster.transact(t, func() (err error) {
		before := t.end()
		r, err = operation()
		a.cluster.tally(err, t.end()-before)
		return err
	})
	if err != nil {
		sim.Effect(verb+" "+string(apierrors.ReasonForError(err)), what, 0)
		return nil, err
	}
	sim.Effect(verb, what, r.revision)
	if err := a.after(ctx, mishap); err != nil {
		return nil, err
	}
	return r, nil
}

// refusal is how long it takes to learn that nobody answers.
const refusal = 10 * time.Millisecond

// refuse returns why no request can be made, or nil.
func (a *caller) refuse(ctx context.Context) error {
	if a.process == nil {
		return ctx.Err()
	}
	if _, away := a.cluster.away(); away || !a.process.Alive() {
		return connectionRefused()
	}
	return ctx.Err()
}

// connectionRefused is what a client sees whose process is gone, or that
// cannot reach the API server.
func connectionRefused() error {
	cause := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	return &url.Error{Op: "Get", URL: "https://kubernetes.default.svc", Err: cause}
}

// connectionLost is what a client sees when the connection breaks before the
// answer is there.
func connectionLost() error {
	cause := &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	return &url.Error{Op: "Post", URL: "https://kubernetes.default.svc", Err: cause}
}

//go:norace
func (c *Cluster) tally(err error, writes int) {
	c.stats.Calls++
	c.stats.Writes += writes
	if err != nil {
		c.stats.Refused++
	}
}

func (a *caller) get(ctx context.Context, t *table, namespace, name, resourceVersion string) (*record, error) {
	key := t.kind.key(namespace, name)
	stale := a.readRevision("get", t, key, resourceVersion)
	return a.call(ctx, "get", t, key, func() (*record, error) {
		r := t.get(key)
		if stale > 0 {
			r = a.cluster.stateAt(t, key, stale)
		}
		if r != nil {
			return r, nil
		}
		return nil, apierrors.NewNotFound(t.kind.groupResource(), name)
	})
}

func (a *caller) create(ctx context.Context, t *table, namespace string, given object, dryRun []string) (*record, error) {
	o, err := received(t, namespace, given, dryRun)
	if err != nil {
		return nil, err
	}
	name := o.GetName()
	if name == "" {
		name = o.GetGenerateName() + "*"
	}
	return a.call(ctx, "create", t, t.kind.key(namespace, name), func() (*record, error) {
		return a.cluster.create(t, o)
	})
}

// update writes all but the status, or with the subresource "status" that
// alone.
func (a *caller) update(ctx context.Context, t *table, namespace, subresource string, given object, dryRun []string) (*record, error) {
	o, err := received(t, namespace, given, dryRun)
	if err != nil {
		return nil, err
	}
	if err := checkSubresource(t, subresource); err != nil {
		return nil, err
	}
	return a.call(ctx, onSubresource("update", subresource), t, t.kind.key(namespace, o.GetName()), func() (*record, error) {
		return a.cluster.update(t, o, subresource)
	})
}

func (a *caller) patch(ctx context.Context, t *table, namespace, name, subresource string, p patch) (*record, error) {
	if err := checkSubresource(t, subresource); err != nil {
		return nil, err
	}
	if err := p.check(t.kind); err != nil {
		return nil, err
	}
	key := t.kind.key(namespace, name)
	return a.call(ctx, onSubresource("patch", subresource), t, key, func() (*record, error) {
		current := t.get(key)
		if current == nil {
			return nil, apierrors.NewNotFound(t.kind.groupResource(), name)
		}
		o, err := p.apply(t.kind, current.object)
		if err != nil {
			return nil, err
		}
		return a.cluster.write(t, o, subresource)
	})
}

func (a *caller) remove(ctx context.Context, t *table, namespace, name string, opts metav1.DeleteOptions) error {
	if err := checkDeletion(opts); err != nil {
		return err
	}
	key := t.kind.key(namespace, name)
	_, err := a.call(ctx, "delete", t, key, func() (*record, error) {
		return a.cluster.remove(t, key, name, opts)
	})
	return err
}

// removeAll deletes what the options select, one by one and not at one
// instant, as the API server does.
func (a *caller) removeAll(ctx context.Context, t *table, namespace string, opts metav1.DeleteOptions, selected metav1.ListOptions) error {
	if _, err := newQuery(t.kind, namespace, selected); err != nil {
		return err
	}
	if err := checkDeletion(opts); err != nil {
		return err
	}
	p, err := a.list(ctx, t, namespace, selected)
	if err != nil {
		return err
	}
	for _, r := range p.records {
		uid := types.UID(r.object.GetUID())
		opts.Preconditions = &metav1.Preconditions{UID: &uid}
		err := a.remove(ctx, t, r.object.GetNamespace(), r.object.GetName(), opts)
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return err
		}
	}
	return nil
}
