package fakes

//lint:file-ignore SA1019 the API server still honours OrphanDependents

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// checkDeletion refuses options of a deletion that go not together.
func checkDeletion(opts metav1.DeleteOptions) error {
	if err := checkDryRun(opts.DryRun); err != nil {
		return err
	}
	problems := validation.ValidateDeleteOptions(&opts)
	if len(problems) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: "DeleteOptions"}, "", problems)
}

// propagate writes on an object, as finalizers, what a deletion says of its
// dependents; the object is nobody else's. It returns whether that is new.
// Without a word in the options what stands there already counts, and then the
// custom of the kind.
func propagate(k *kind, o object, opts metav1.DeleteOptions) bool {
	hadOrphan, hadForeground := has(o, metav1.FinalizerOrphanDependents), has(o, metav1.FinalizerDeleteDependents)
	orphan, foreground := hadOrphan, hadForeground
	switch {
	case opts.OrphanDependents != nil:
		orphan, foreground = *opts.OrphanDependents, false
	case opts.PropagationPolicy != nil:
		orphan = *opts.PropagationPolicy == metav1.DeletePropagationOrphan
		foreground = *opts.PropagationPolicy == metav1.DeletePropagationForeground
	case !orphan && !foreground:
		orphan = k.orphans
	}
	if orphan == hadOrphan && foreground == hadForeground {
		return false
	}
	finalizers := without(without(o.GetFinalizers(), metav1.FinalizerOrphanDependents), metav1.FinalizerDeleteDependents)
	if orphan {
		finalizers = append(finalizers, metav1.FinalizerOrphanDependents)
	}
	if foreground {
		finalizers = append(finalizers, metav1.FinalizerDeleteDependents)
	}
	o.SetFinalizers(finalizers)
	return true
}
