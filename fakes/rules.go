package fakes

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// checkNew refuses what a create must not carry.
func checkNew(k *kind, o object) error {
	switch {
	case o.GetResourceVersion() != "":
		return apierrors.NewBadRequest("resourceVersion should not be set on objects to be created")
	case o.GetName() == "" && o.GetGenerateName() == "":
		return invalid(k, "", field.Required(field.NewPath("metadata", "name"), "name or generateName is required"))
	}
	return nil
}

// checkName wants a DNS subdomain. It is checked by hand, because a regular
// expression's pool of machines would order those who create objects.
func checkName(k *kind, name string) error {
	valid := len(name) <= 253
	for label := range strings.SplitSeq(name, ".") {
		valid = valid && label != "" && label == strings.Trim(label, "-") && strings.Trim(label, nameLetters) == ""
	}
	if valid {
		return nil
	}
	return invalid(k, name, field.Invalid(field.NewPath("metadata", "name"), name,
		"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"))
}

const nameLetters = "abcdefghijklmnopqrstuvwxyz0123456789-"

// checkCurrent refuses an update that was made from another state, or from
// another object of the same name.
func checkCurrent(k *kind, o, current object) error {
	version := o.GetResourceVersion()
	switch {
	case version == "" && k.custom:
		return invalid(k, o.GetName(), field.Invalid(field.NewPath("metadata", "resourceVersion"), 0, "must be specified for an update"))
	case o.GetUID() != "" && o.GetUID() != current.GetUID():
		return conflict(k, o.GetName(), fmt.Sprintf("Precondition failed: UID in precondition: %v, UID in object meta: %v", o.GetUID(), current.GetUID()))
	case version != "" && version != current.GetResourceVersion():
		return conflict(k, o.GetName(), "the object has been modified; please apply your changes to the latest version and try again")
	}
	return nil
}

// checkFinalizers refuses new finalizers on an object that is being deleted.
func checkFinalizers(k *kind, o, current object) error {
	if current.GetDeletionTimestamp() == nil {
		return nil
	}
	for _, name := range o.GetFinalizers() {
		if !slices.Contains(current.GetFinalizers(), name) {
			return invalid(k, o.GetName(), field.Forbidden(field.NewPath("metadata", "finalizers"),
				"no new finalizers can be added if the object is being deleted"))
		}
	}
	return nil
}

func checkPreconditions(k *kind, current object, p *metav1.Preconditions) error {
	if p == nil {
		return nil
	}
	if p.UID != nil && *p.UID != current.GetUID() {
		return conflict(k, current.GetName(), fmt.Sprintf("Precondition failed: UID in precondition: %v, UID in object meta: %v", *p.UID, current.GetUID()))
	}
	if p.ResourceVersion != nil && *p.ResourceVersion != current.GetResourceVersion() {
		return conflict(k, current.GetName(), fmt.Sprintf("Precondition failed: ResourceVersion in precondition: %v, ResourceVersion in object meta: %v", *p.ResourceVersion, current.GetResourceVersion()))
	}
	return nil
}

// keepServerFields puts back what an update cannot change.
func keepServerFields(o, current object) {
	o.SetUID(current.GetUID())
	o.SetCreationTimestamp(current.GetCreationTimestamp())
	o.SetDeletionTimestamp(current.GetDeletionTimestamp().DeepCopy())
	o.SetDeletionGracePeriodSeconds(copyOf(current.GetDeletionGracePeriodSeconds()))
	o.SetGeneration(current.GetGeneration())
	o.SetGenerateName(current.GetGenerateName())
	o.SetManagedFields(nil)
}

// markDeleted sets the time at which the grace period will be over. A shorter
// grace period brings it forward.
func markDeleted(o object, grace int64) {
	at := metav1.NewTime(now().Add(time.Duration(grace) * time.Second))
	marked := o.GetDeletionTimestamp()
	if marked != nil && marked.Before(&at) {
		at = *marked
	}
	o.SetDeletionTimestamp(&at)
	o.SetDeletionGracePeriodSeconds(&grace)
	if marked == nil && o.GetGeneration() > 0 {
		o.SetGeneration(o.GetGeneration() + 1)
	}
}

// released tells whether nothing holds a deleted object any longer.
func released(o object) bool {
	grace := o.GetDeletionGracePeriodSeconds()
	return o.GetDeletionTimestamp() != nil && len(o.GetFinalizers()) == 0 && grace != nil && *grace == 0
}

// sameMetadata compares what an update can change there. A write that changes
// nothing is none.
func sameMetadata(a, b object) bool {
	return maps.Equal(a.GetLabels(), b.GetLabels()) &&
		maps.Equal(a.GetAnnotations(), b.GetAnnotations()) &&
		slices.Equal(a.GetFinalizers(), b.GetFinalizers()) &&
		equality.Semantic.DeepEqual(a.GetOwnerReferences(), b.GetOwnerReferences())
}

func conflict(k *kind, name, why string) error {
	return apierrors.NewConflict(k.groupResource(), name, fmt.Errorf("%s", why))
}

func invalid(k *kind, name string, problem *field.Error) error {
	return apierrors.NewInvalid(k.kind.GroupKind(), name, field.ErrorList{problem})
}

func copyOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// nameSuffix returns five letters as generateName does, from a counter.
func nameSuffix(n int64) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	suffix := make([]byte, 5)
	for i := len(suffix) - 1; i >= 0; i-- {
		suffix[i] = letters[n%int64(len(letters))]
		n /= int64(len(letters))
	}
	return string(suffix)
}
