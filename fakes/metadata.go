package fakes

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The rules for metadata are checked by hand, because a regular expression's
// pool of machines would order those who write objects.

// checkMetadata refuses labels, annotations, finalizers and owner references
// that the API server would. It does not say which label, for of several that
// would be the map's choice.
func checkMetadata(k *kind, o object) error {
	at := field.NewPath("metadata")
	for name, value := range o.GetLabels() {
		if !qualified(name) || value != "" && !plainName(value) {
			return invalid(k, o.GetName(), field.Forbidden(at.Child("labels"), "each needs a qualified name and a plain value"))
		}
	}
	size := 0
	for name, value := range o.GetAnnotations() {
		if size += len(name) + len(value); size > annotationBytes || !qualified(strings.ToLower(name)) {
			return invalid(k, o.GetName(), field.Forbidden(at.Child("annotations"), "each needs a qualified name, and all together may have 256 KiB"))
		}
	}
	for _, name := range o.GetFinalizers() {
		if !qualified(name) {
			return invalid(k, o.GetName(), field.Invalid(at.Child("finalizers"), name, "a finalizer needs a qualified name"))
		}
	}
	return checkOwners(k, o)
}

const annotationBytes = 256 << 10

// checkOwners wants owners that are named in full, and at most one that
// controls the object.
func checkOwners(k *kind, o object) error {
	at, controllers := field.NewPath("metadata", "ownerReferences"), 0
	for _, owner := range o.GetOwnerReferences() {
		version, err := schema.ParseGroupVersion(owner.APIVersion)
		if err != nil || version.Version == "" || owner.Kind == "" || owner.Name == "" || owner.UID == "" {
			return invalid(k, o.GetName(), field.Invalid(at, owner, "an owner needs an apiVersion, a kind, a name and a uid"))
		}
		if owner.Controller != nil && *owner.Controller {
			controllers++
		}
	}
	if controllers > 1 {
		return invalid(k, o.GetName(), field.Invalid(at, controllers, "only one owner can be the controller"))
	}
	return nil
}

// qualified tells whether a name is plain, or has a domain before one slash.
func qualified(name string) bool {
	domain, plain, cut := strings.Cut(name, "/")
	if !cut {
		return plainName(name)
	}
	return subdomain(domain) && plainName(plain)
}

// plainName tells whether a text has up to 63 letters, digits, and between
// them some of "-_.".
func plainName(text string) bool {
	return text != "" && len(text) <= 63 && strings.Trim(text, "-_.") == text &&
		strings.Trim(strings.ToLower(text), nameLetters+"_.") == ""
}
