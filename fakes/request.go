package fakes

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// received copies what a client sent, as a request over the wire would, and
// gives it the namespace of the request.
func received(t *table, namespace string, given object, dryRun []string) (object, error) {
	if err := checkDryRun(dryRun); err != nil {
		return nil, err
	}
	o := given.DeepCopyObject().(object)
	if namespace != "" && o.GetNamespace() != "" && o.GetNamespace() != namespace {
		return nil, apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if t.kind.namespaced && namespace == "" {
		return nil, apierrors.NewBadRequest("an empty namespace may not be set during creation or update")
	}
	o.SetNamespace(namespace)
	return o, nil
}

func checkDryRun(dryRun []string) error {
	if len(dryRun) == 0 {
		return nil
	}
	return apierrors.NewBadRequest("dry runs are not served by this cluster: leave dryRun out")
}

// checkSubresource knows the one subresource that there is.
func checkSubresource(t *table, subresource string) error {
	if subresource == "" || subresource == "status" && t.kind.status >= 0 {
		return nil
	}
	return apierrors.NewNotFound(t.kind.groupResource(), subresource)
}

func onSubresource(verb, subresource string) string {
	if subresource == "" {
		return verb
	}
	return verb + "/" + subresource
}

// checkOptions refuses options of a list or a watch that go not together.
func checkOptions(opts metav1.ListOptions, watches bool) error {
	problems := validation.ValidateListOptions(&internalversion.ListOptions{
		Watch:                watches,
		ResourceVersion:      opts.ResourceVersion,
		ResourceVersionMatch: opts.ResourceVersionMatch,
		Continue:             opts.Continue,
		SendInitialEvents:    opts.SendInitialEvents,
	}, true)
	if len(problems) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: "ListOptions"}, "", problems)
}

// selection is what a list or a watch asks for.
type selection struct {
	namespace  string // empty is all
	namespaced bool   // objects have one
	labels     labels.Selector
	fields     fields.Selector
	selectable func(object) fields.Set
}

func newSelection(k *kind, namespace string, opts metav1.ListOptions, watches bool) (selection, error) {
	byLabel, err := labels.Parse(opts.LabelSelector)
	if err != nil {
		return selection{}, apierrors.NewBadRequest(err.Error())
	}
	byField, err := fields.ParseSelector(opts.FieldSelector)
	if err != nil {
		return selection{}, apierrors.NewBadRequest(err.Error())
	}
	if err := checkOptions(opts, watches); err != nil {
		return selection{}, err
	}
	s := selection{namespace, k.namespaced, byLabel, byField, k.selectable}
	known := s.fieldsOf(k.fresh())
	for _, r := range byField.Requirements() {
		if !known.Has(r.Field) || r.Field == "metadata.namespace" && !k.namespaced {
			return selection{}, apierrors.NewBadRequest(fmt.Sprintf("field label not supported: %s", r.Field))
		}
	}
	return s, nil
}

// fieldsOf returns the fields of an object that can be selected by.
func (s selection) fieldsOf(o object) fields.Set {
	set := s.selectable(o)
	if set == nil {
		set = fields.Set{}
	}
	set["metadata.name"], set["metadata.namespace"] = o.GetName(), o.GetNamespace()
	return set
}

// matches tells whether a state is asked for; absence never is.
func (s selection) matches(r *record) bool {
	switch {
	case r == nil:
		return false
	case s.namespace != "" && s.namespace != r.object.GetNamespace():
		return false
	case !s.labels.Empty() && !s.labels.Matches(labels.Set(r.object.GetLabels())):
		return false
	case s.fields.Empty():
		return true
	}
	return s.fields.Matches(s.fieldsOf(r.object))
}

// filter keeps the records that match, in place.
func (s selection) filter(records []*record) []*record {
	kept := records[:0]
	for _, r := range records {
		if s.matches(r) {
			kept = append(kept, r)
		}
	}
	return kept
}
