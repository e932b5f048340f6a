package fakes

import (
	"fmt"
	"maps"
	"net/http"
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
	if o.GetName() == "" && o.GetGenerateName() == "" {
		return invalid(k, "", field.Required(field.NewPath("metadata", "name"), "name or generateName is required"))
	}
	return nil
}

// checkName wants a DNS subdomain.
func checkName(k *kind, name string) error {
	if subdomain(name) {
		return nil
	}
	return invalid(k, name, field.Invalid(field.NewPath("metadata", "name"), name,
		"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"))
}

func subdomain(name string) bool {
	valid := len(name) <= 253
	for label := range strings.SplitSeq(name, ".") {
		valid = valid && label != "" && label == strings.Trim(label, "-") && strings.Trim(label, nameLetters) == ""
	}
	return valid
}

const nameLetters = "abcdefghijklmnopqrstuvwxyz0123456789-"

// checkUID refuses an update that is for another object of the same name.
func checkUID(k *kind, o object, current *record) error {
	if current == nil || o.GetUID() == "" || o.GetUID() == current.object.GetUID() {
		return nil
	}
	return conflict(k, o.GetName(), fmt.Sprintf("Precondition failed: UID in precondition: %v, UID in object meta: %v", o.GetUID(), current.object.GetUID()))
}

// checkCurrent refuses an update that was made from another state.
func checkCurrent(k *kind, o, current object) error {
	version := o.GetResourceVersion()
	number, err := parseRevision(version)
	switch {
	case err != nil:
		return unknown(err.Error())
	case number == 0 && k.custom:
		return invalid(k, o.GetName(), field.Invalid(field.NewPath("metadata", "resourceVersion"), 0, "must be specified for an update"))
	case number > 0 && version != current.GetResourceVersion():
		return conflict(k, o.GetName(), "the object has been modified; please apply your changes to the latest version and try again")
	}
	return nil
}

// checkChange refuses what the metadata of a new state must not have.
func checkChange(k *kind, o, current object) error {
	fixed := o.GetUID() == current.GetUID() &&
		o.GetDeletionTimestamp().Equal(current.GetDeletionTimestamp()) &&
		equality.Semantic.DeepEqual(o.GetDeletionGracePeriodSeconds(), current.GetDeletionGracePeriodSeconds())
	if !fixed {
		return invalid(k, o.GetName(), field.Forbidden(field.NewPath("metadata"), "the uid and the time of the deletion are immutable"))
	}
	if err := checkMetadata(k, o); err != nil {
		return err
	}
	return checkFinalizers(k, o, current)
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

// keepServerFields puts back what an update cannot change, and what it left
// out. What it changed all the same is for checkChange.
func keepServerFields(o, current object) {
	if o.GetUID() == "" {
		o.SetUID(current.GetUID())
	}
	o.SetCreationTimestamp(current.GetCreationTimestamp())
	if current.GetDeletionTimestamp() != nil {
		o.SetDeletionTimestamp(current.GetDeletionTimestamp().DeepCopy())
	}
	if o.GetDeletionGracePeriodSeconds() == nil {
		o.SetDeletionGracePeriodSeconds(copyOf(current.GetDeletionGracePeriodSeconds()))
	}
	o.SetGeneration(current.GetGeneration())
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
	return a.GetGenerateName() == b.GetGenerateName() &&
		maps.Equal(a.GetLabels(), b.GetLabels()) &&
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

// unknown is how the server answers where it has no better reason.
func unknown(why string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: why}}
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
