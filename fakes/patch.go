package fakes

import (
	"encoding/json"
	"fmt"
	"net/http"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// patch is the body of a patch request.
type patch struct {
	how  types.PatchType
	data []byte
}

// check refuses what cannot be a patch of any object.
func (p patch) check(k *kind) error {
	switch {
	case p.how == types.StrategicMergePatchType && k.custom, p.how == types.ApplyPatchType, p.how == types.ApplyCBORPatchType:
		return unsupportedPatch(k, p.how)
	case !json.Valid(p.data):
		return apierrors.NewBadRequest("the patch is no JSON")
	}
	return nil
}

// apply returns the patched object. A resourceVersion inside the patch thereby
// becomes one that the write after it checks.
func (p patch) apply(k *kind, current object) (object, error) {
	before, err := json.Marshal(current)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	after, err := p.merge(k, before)
	if err != nil {
		return nil, err
	}
	next := k.fresh()
	if err := utiljson.Unmarshal(after, next); err != nil {
		return nil, unprocessable(err)
	}
	if next.GetName() != current.GetName() || next.GetNamespace() != current.GetNamespace() {
		return nil, apierrors.NewBadRequest("a patch cannot change the name or the namespace")
	}
	return next, nil
}

func (p patch) merge(k *kind, before []byte) (after []byte, err error) {
	switch p.how {
	case types.JSONPatchType:
		return jsonPatch(before, p.data)
	case types.MergePatchType:
		return mergePatch(before, p.data)
	case types.StrategicMergePatchType:
		after, err = strategicpatch.StrategicMergePatch(before, p.data, k.fresh())
	default:
		return nil, unsupportedPatch(k, p.how)
	}
	if err != nil {
		return nil, unprocessable(err)
	}
	return after, nil
}

func jsonPatch(before, data []byte) ([]byte, error) {
	operations, err := jsonpatch.DecodePatch(data)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	after, err := operations.Apply(before)
	if err != nil {
		return nil, unprocessable(err)
	}
	return after, nil
}

func mergePatch(before, data []byte) ([]byte, error) {
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	after, err := jsonpatch.MergePatch(before, data)
	if err != nil {
		return nil, unprocessable(err)
	}
	return after, nil
}

// unprocessable is the error for a patch that does not fit the object.
func unprocessable(err error) error {
	return apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "patch",
		schema.GroupResource{}, "", err.Error(), 0, false)
}

func unsupportedPatch(k *kind, how types.PatchType) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusUnsupportedMediaType,
		Reason:  metav1.StatusReasonUnsupportedMediaType,
		Message: fmt.Sprintf("patches of type %s are not served for %s: use a merge patch", how, k.resource.Resource),
	}}
}
