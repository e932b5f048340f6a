package fakes

import (
	"context"
	"slices"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// query is what a list asks for.
type query struct {
	selection
	continuation
	notBefore int64 // the oldest revision that will do
	stale     int64 // the revision that the server's cache is at, if it is behind
	limit     int   // zero is none
}

// page is a part of a list, or the whole.
type page struct {
	records   []*record
	revision  int64
	next      string // the token for the next page; empty behind the last one
	remaining *int64 // how many objects are left, unless a selector makes that unknown
}

// newQuery reads the options of a list. The rules are those of "Resource
// versions" in the documentation of the Kubernetes API.
func newQuery(k *kind, namespace string, opts metav1.ListOptions) (query, error) {
	selected, err := newSelection(k, namespace, opts, false)
	if err != nil {
		return query{}, err
	}
	q := query{selection: selected, limit: int(opts.Limit), continuation: continuation{list: listed(namespace, opts)}}
	revision, err := parseRevision(opts.ResourceVersion)
	exact := opts.ResourceVersionMatch == metav1.ResourceVersionMatchExact
	switch {
	case err != nil:
		return query{}, err
	case opts.Continue != "":
		q.continuation, err = q.parse(opts)
	case opts.ResourceVersion == "0":
		q.limit = 0 // the server's cache has no pages
	case exact || opts.ResourceVersionMatch == "" && q.limit > 0:
		q.revision = revision
	default:
		q.notBefore = revision
	}
	return q, err
}

func parseRevision(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	revision, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, apierrors.NewBadRequest("invalid resourceVersion " + strconv.Quote(text))
	}
	return int64(revision), nil
}

// list returns the page that the options ask for.
func (a *caller) list(ctx context.Context, t *table, namespace string, opts metav1.ListOptions) (page, error) {
	q, err := newQuery(t.kind, namespace, opts)
	if err != nil {
		return page{}, err
	}
	if q.revision == 0 && opts.Continue == "" {
		q.stale = a.readRevision("list", t, namespace, opts.ResourceVersion)
	}
	if q.revision > 0 {
		a.cluster.mayCompact("list "+t.kind.resource.Resource, q.revision)
	}
	var p page
	_, err = a.call(ctx, "list", t, namespace, func() (_ *record, err error) {
		p, err = a.cluster.page(t, q)
		return &record{revision: p.revision}, err
	})
	if err != nil {
		return page{}, err
	}
	return p, nil
}

// page answers a list; under the cluster's lock.
func (c *Cluster) page(t *table, q query) (page, error) {
	present := c.present()
	p := page{revision: q.revision}
	switch {
	case max(q.revision, q.notBefore) > present:
		return page{}, tooLarge(max(q.revision, q.notBefore), present)
	case q.revision > 0 && q.revision < c.oldest():
		return page{}, q.expired()
	case q.revision > 0:
		p.records = c.statesAt(t, q.revision)
	case q.stale > 0:
		p.records, p.revision = c.statesAt(t, q.stale), q.stale
	default:
		p.records, p.revision = t.all(), present
	}
	var left int64
	p.records, left = q.take(begin(p.records, q.from))
	if left > 0 {
		p.next = continuation{p.revision, q.list, p.records[q.limit-1].key + "\x00"}.String()
		if q.labels.Empty() && q.fields.Empty() {
			p.remaining = &left
		}
	}
	return p, nil
}

// take keeps the records of a page, in place, and counts those that come after
// it, whether they are selected or not: the server does not look ahead. Only a
// list of one object by its name is known to have no more.
func (q query) take(records []*record) (kept []*record, left int64) {
	name, one := q.fields.RequiresExactMatch("metadata.name")
	one = one && q.from == "" && (q.namespace != "" || !q.namespaced)
	kept = records[:0]
	for _, r := range records {
		switch {
		case q.namespace != "" && q.namespace != r.object.GetNamespace() || one && name != r.object.GetName():
		case q.limit > 0 && len(kept) == q.limit:
			left++
		case q.matches(r):
			kept = append(kept, r)
		}
	}
	return kept, left
}

// statesAt returns the states of a past revision in key order.
func (c *Cluster) statesAt(t *table, revision int64) []*record {
	var undone []change
	for at := t.after(revision); at < t.end(); at++ {
		undo, _ := t.at(at)
		undone = append(undone, undo)
	}
	return past(t.all(), undone)
}

// begin leaves out the records before a key.
func begin(records []*record, key string) []*record {
	at, _ := slices.BinarySearchFunc(records, key, compareKey)
	return records[at:]
}

func (t *table) listOf(p page) runtime.Object {
	return t.kind.list(p.records, metav1.ListMeta{
		ResourceVersion:    formatRevision(p.revision),
		Continue:           p.next,
		RemainingItemCount: p.remaining,
	})
}
