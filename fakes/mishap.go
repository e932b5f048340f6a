package fakes

import (
	"context"
	"errors"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/snapstorm/snapstorm/sim"
)

// Mishap is something that goes wrong with a program's API call although
// nothing is wrong with what it asks for. Each can happen in a real cluster,
// and takes as long as it does there.
type Mishap string

// The mishaps. Their names are what tapes and summaries call them.
const (
	// TimeoutBefore: the call times out, and has had no effect.
	TimeoutBefore Mishap = "timeout before the effect"

	// TimeoutAfter: the call times out, though it has had its effect.
	TimeoutAfter Mishap = "timeout after the effect"

	// LostAnswer: the connection breaks after the call has had its effect.
	LostAnswer Mishap = "answer lost"

	// WriteBefore: somebody else annotates the object just before an update, a
	// patch or a delete reaches it. What was based on the state before is in
	// conflict then.
	WriteBefore Mishap = "another write comes first"

	// TooManyRequests: the API server asks to come back later, until the
	// client gives up.
	TooManyRequests Mishap = "too many requests"

	// ServerError: the API server has lost its storage for the moment.
	ServerError Mishap = "internal error"

	// SlowCall: the call takes long; its effect comes at the end.
	SlowCall Mishap = "slow call"

	// Throttled: the client's own rate limit delays the call.
	Throttled Mishap = "throttled"

	// Unreachable: the API server cannot be reached by the program for a
	// while; informers keep their caches, and watches end.
	Unreachable Mishap = "API server out of reach"

	// NoAnswer: nothing comes back, as from a machine that has lost its
	// network, until the request's context ends. It happens only where
	// MishapKinds names it, for it holds a program without time limits of its
	// own for ever.
	NoAnswer Mishap = "no answer"
)

// Mishaps returns those that happen where MishapKinds is nil.
func Mishaps() []Mishap {
	return []Mishap{TimeoutBefore, TimeoutAfter, LostAnswer, WriteBefore, TooManyRequests, ServerError, SlowCall, Throttled, Unreachable}
}

// How long mishaps take, in virtual time.
const (
	requestTimeout = 30 * time.Second
	retryAfter     = time.Second // that the server asks for
	retries        = 10          // that a client makes of what was put off
	slowCall       = 20 * time.Second
	throttle       = 3 * time.Second
)

// outages are how long an API server may be out of reach.
var outages = []time.Duration{time.Second, 30 * time.Second, 5 * time.Minute}

// mishap is the point before a call, and the choice of what goes wrong, if
// anything may.
func (a *caller) mishap(verb, what, resource string) Mishap {
	c := a.cluster
	kinds := c.mishaps
	if a.process == nil || len(kinds) == 0 || c.Stats().Mishaps >= c.options.Faults.Mishaps || !c.mayFail(verb, resource) {
		sim.Step(verb, what)
		return ""
	}
	return Mishap(c.pick(verb+" "+what, kinds, func() bool {
		return c.use(c.options.Faults.Mishaps, func(s *Stats) *int { return &s.Mishaps })
	}))
}

func (c *Cluster) mayFail(verb, resource string) bool {
	may := c.options.Faults.MishapsOn
	return may == nil || may(verb, resource)
}

// possibleMishaps are the names of those that may happen, behind an empty one
// for none.
func possibleMishaps(f Faults) []string {
	if f.Mishaps == 0 {
		return nil
	}
	kinds := f.MishapKinds
	if kinds == nil {
		kinds = Mishaps()
	}
	names := []string{""}
	for _, m := range kinds {
		names = append(names, string(m))
	}
	return names
}

// before does what a mishap does ahead of the operation. The call ends there if
// it returns an error.
func (a *caller) before(ctx context.Context, m Mishap, t *table, key, verb string) error {
	switch m {
	case TimeoutBefore:
		return a.timeout(ctx)
	case TooManyRequests:
		wait(ctx, retries*retryAfter)
		return apierrors.NewTooManyRequests("the server has received too many requests and has asked us to try again later", int(retryAfter.Seconds()))
	case ServerError:
		wait(ctx, retryAfter)
		return apierrors.NewInternalError(errors.New("etcdserver: leader changed"))
	case NoAnswer:
		return noAnswer(ctx)
	case SlowCall:
		wait(ctx, slowCall)
	case Throttled:
		wait(ctx, throttle)
	case Unreachable:
		a.cluster.cutOff()
		return connectionRefused()
	case WriteBefore:
		if slices.Contains([]string{"update", "update/status", "patch", "patch/status", "delete"}, verb) {
			return a.cluster.transact(t, func() error { return a.cluster.annotate(t, key) })
		}
	}
	return nil
}

// after is what the caller learns instead of the answer, or nil.
func (a *caller) after(ctx context.Context, m Mishap) error {
	switch m {
	case TimeoutAfter:
		return a.timeout(ctx)
	case LostAnswer:
		return connectionLost()
	}
	return nil
}

func (a *caller) timeout(ctx context.Context) error {
	wait(ctx, requestTimeout)
	if err := ctx.Err(); err != nil {
		return err
	}
	return apierrors.NewTimeoutError("request did not complete within requested timeout - context deadline exceeded", 0)
}

// noAnswer returns when the context has ended.
func noAnswer(ctx context.Context) error {
	for ctx.Err() == nil {
		sim.Sleep(shortestNap)
	}
	return ctx.Err()
}

// wait sleeps, but not beyond the end of the request's context.
func wait(ctx context.Context, d time.Duration) {
	if at, ok := ctx.Deadline(); ok {
		d = min(d, time.Until(at))
	}
	nap(time.Now().Add(d), ctx.Done())
}

// annotate is the write of somebody else. It is an ordinary one, with a new
// revision and an event. An object that is not there is nobody's business.
func (c *Cluster) annotate(t *table, key string) error {
	current := t.get(key)
	if current == nil {
		return nil
	}
	o := current.object.DeepCopyObject().(object)
	annotations := map[string]string{touchedKey: formatRevision(c.present())}
	for k, v := range o.GetAnnotations() {
		if k != touchedKey {
			annotations[k] = v
		}
	}
	o.SetAnnotations(annotations)
	_, err := c.update(t, o, "")
	return err
}

// cutOff makes the API server unreachable for all programs for a while.
func (c *Cluster) cutOff() {
	until := time.Now().Add(c.howLong(string(Unreachable), outages))
	c.lock.Lock()
	defer c.lock.Unlock()
	c.setAway(until.UnixNano())
}

//go:norace
func (c *Cluster) setAway(until int64) { c.awayUntil = max(c.awayUntil, until) }

//go:norace
func (c *Cluster) readAway() int64 { return c.awayUntil }

// away returns when the API server can be reached again, and false if it can
// be now.
func (c *Cluster) away() (until time.Time, yes bool) {
	if len(c.mishaps) == 0 {
		return time.Time{}, false
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	until = time.Unix(0, c.readAway())
	return until, time.Now().Before(until)
}
