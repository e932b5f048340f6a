package conformance

import (
	"encoding/json"
	"fmt"

	snapshotclient "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// side is one server while a script runs on it.
type side struct {
	trace
	client  snapshotclient.Interface
	seen    map[place][]object // what calls returned, the newest last
	created int
	watches []watching
}

// step is one call of a script.
type step interface{ do(*side) }

// known returns a copy of the state that was seen so many answers ago, or of
// the oldest, or a fresh object.
func (s *side) known(p place, ago int) object {
	states := s.seen[p]
	if len(states) == 0 {
		return fresh(p)
	}
	return states[max(0, len(states)-1-ago)].DeepCopyObject().(object)
}

// got notes the answer of a call that returns an object.
func (s *side) got(what string, p place, o object, err error) {
	s.logf("%s %v: %s", what, p, s.answer(o, err))
	if err == nil {
		s.seen[p] = append(s.seen[p], o)
	}
}

// edited merges JSON into an object.
func edited(o object, edits []string) object {
	for _, edit := range edits {
		if err := json.Unmarshal([]byte(edit), o); err != nil {
			panic(err)
		}
	}
	return o
}

// create makes a new object, from what was seen there before when Again.
type create struct {
	At    place
	Again bool
	Edits []string
}

func (c create) do(s *side) {
	o := fresh(c.At)
	if c.Again {
		o = s.known(c.At, 0)
	}
	o = edited(o, c.Edits)
	if c.At.Name == "" { // each prefix once, or chance would sort the lists
		o.SetGenerateName(fmt.Sprintf("g%d-", s.created))
		s.created++
	}
	made, err := at(s.client, c.At).Create(ctx, o, metav1.CreateOptions{})
	s.got("create", c.At, made, err)
}

type get struct{ At place }

func (g get) do(s *side) {
	o, err := at(s.client, g.At).Get(ctx, g.At.Name, metav1.GetOptions{})
	s.got("get", g.At, o, err)
}

// update writes a state that was seen some answers ago, with changes.
type update struct {
	At     place
	Ago    int
	Edits  []string
	Status bool
}

func (u update) do(s *side) {
	o, what, call := edited(s.known(u.At, u.Ago), u.Edits), "update", at(s.client, u.At).Update
	if u.Status {
		what, call = "update status", at(s.client, u.At).UpdateStatus
	}
	o, err := call(ctx, o, metav1.UpdateOptions{})
	s.got(what, u.At, o, err)
}

// patch sends one. Revision adds the resourceVersion that was seen so many
// answers ago.
type patch struct {
	At       place
	How      types.PatchType
	Body     string
	Revision int
	Status   bool
}

func (p patch) do(s *side) {
	var subresources []string
	if p.Status {
		subresources = []string{"status"}
	}
	o, err := at(s.client, p.At).Patch(ctx, p.At.Name, p.How, p.body(s), metav1.PatchOptions{}, subresources...)
	s.got("patch", p.At, o, err)
}

func (p patch) body(s *side) []byte {
	if p.Revision == none {
		return []byte(p.Body)
	}
	revision := s.known(p.At, p.Revision).GetResourceVersion()
	if p.How == types.JSONPatchType {
		return fmt.Appendf(nil, `[{"op":"replace","path":"/metadata/resourceVersion","value":%q}]`, revision)
	}
	return edit(p.Body, "resourceVersion", revision)
}

// edit sets one more field of the metadata in a merge patch, where it is one.
func edit(body, name, value string) []byte {
	var fields map[string]any
	if json.Unmarshal([]byte(body), &fields) != nil {
		return []byte(body)
	}
	meta, ok := fields["metadata"].(map[string]any)
	if !ok {
		meta = map[string]any{}
		fields["metadata"] = meta
	}
	meta[name] = value
	out, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return out
}

// Instead of how many answers ago a precondition was seen.
const (
	none    = -1
	foreign = -2 // it never was
)

// remove deletes an object. UID and Revision are preconditions, from the state
// that was seen so many answers ago.
type remove struct {
	At            place
	UID, Revision int
	Propagation   metav1.DeletionPropagation
}

func (r remove) do(s *side) {
	opts := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{}}
	switch r.UID {
	case none:
	case foreign:
		opts.Preconditions.UID = new(types.UID("other"))
	default:
		opts.Preconditions.UID = new(s.known(r.At, r.UID).GetUID())
	}
	switch r.Revision {
	case none:
	case foreign:
		opts.Preconditions.ResourceVersion = new("999999999")
	default:
		opts.Preconditions.ResourceVersion = new(s.known(r.At, r.Revision).GetResourceVersion())
	}
	if r.Propagation != "" {
		opts.PropagationPolicy = &r.Propagation
	}
	err := at(s.client, r.At).Delete(ctx, r.At.Name, opts)
	s.logf("delete %v: %s", r.At, s.answer(nil, err))
}

// removeAll deletes what is selected.
type removeAll struct {
	At           place
	Label, Field string
	Propagation  metav1.DeletionPropagation
}

func (r removeAll) do(s *side) {
	var opts metav1.DeleteOptions
	if r.Propagation != "" {
		opts.PropagationPolicy = &r.Propagation
	}
	err := at(s.client, r.At).DeleteCollection(ctx, opts, metav1.ListOptions{LabelSelector: r.Label, FieldSelector: r.Field})
	s.logf("delete all %v: %s", r.At, s.answer(nil, err))
}

// list reads what is selected, page by page when Limit is set. From is the
// place whose state, seen so many answers ago, has the revision to read at;
// Match is empty for the present.
type list struct {
	At           place
	Label, Field string
	Limit        int64
	Match        metav1.ResourceVersionMatch
	From         place
	Ago          int
	Continue     string
	Revision     string // when it is not a real one
}

func (l list) do(s *side) {
	opts := metav1.ListOptions{LabelSelector: l.Label, FieldSelector: l.Field, Limit: l.Limit, Continue: l.Continue, ResourceVersion: l.Revision}
	if l.Match != "" {
		opts.ResourceVersionMatch = l.Match
		opts.ResourceVersion = s.known(l.From, l.Ago).GetResourceVersion()
	}
	for {
		page, err := at(s.client, l.At).List(ctx, opts)
		s.logf("list %v: %s", l.At, s.answer(page, err))
		if err != nil {
			return
		}
		opts.Continue = page.(metav1.ListInterface).GetContinue()
		if opts.Continue == "" {
			return
		}
		opts.ResourceVersion, opts.ResourceVersionMatch = "", ""
	}
}
