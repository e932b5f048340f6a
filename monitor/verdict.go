package monitor

import (
	"errors"
	"fmt"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Verdict is the final outcome of one pod's backup.
type Verdict struct {
	// Snapshot is the name of the VolumeSnapshot, in the pod's namespace. After
	// a failure it need not exist.
	Snapshot string
	// Handle is the storage system's name of the snapshot. Empty in a failure.
	Handle string
	// ClaimUID is the incarnation of the claim that was backed up.
	ClaimUID types.UID
	// Failure says why there is no backup. Empty in a success.
	Failure string
}

// Saved reports whether the verdict is a success.
func (v Verdict) Saved() bool { return v.Failure == "" && v.Handle != "" }

// anyIncarnation stands for every UID that an object of some name may have.
const anyIncarnation types.UID = ""

// A backup that is not finished may still become one: waiting or trying again
// is right until the deadline.
var (
	errNotReady = errors.New("the snapshot is not ready")
	errNoHandle = errors.New("the snapshot is ready but its content has no handle")
)

func isUnfinished(err error) bool {
	return errors.Is(err, errNotReady) || errors.Is(err, errNoHandle)
}

// refusal is an error that no waiting mends.
type refusal string

func (r refusal) Error() string { return string(r) }

func isRefusal(err error) bool {
	var r refusal
	return errors.As(err, &r)
}

// judge says what stands between this snapshot and a backup of the pod: nil, a
// refusal or errNotReady. The snapshot must be the given incarnation. An error
// in its status decides nothing: the snapshot controller tries again, and a
// ready snapshot may keep an old error for ever.
func judge(snapshot *snapshotv1.VolumeSnapshot, pod, incarnation types.UID) error {
	switch {
	case !madeFor(snapshot, pod):
		return refusal(fmt.Sprintf("snapshot %s was not made for this pod", snapshot.Name))
	case incarnation != anyIncarnation && snapshot.UID != incarnation:
		return refusal(fmt.Sprintf("snapshot %s was deleted and replaced", snapshot.Name))
	case snapshot.DeletionTimestamp != nil:
		// Often still ready, but it will be gone when it is needed.
		return refusal(fmt.Sprintf("snapshot %s is being deleted", snapshot.Name))
	case !isReady(snapshot):
		return notReady(snapshot)
	}
	return nil
}

// isReady reports whether the snapshot can be used: ready and bound.
func isReady(snapshot *snapshotv1.VolumeSnapshot) bool {
	status := snapshot.Status
	return status != nil &&
		status.ReadyToUse != nil && *status.ReadyToUse &&
		status.BoundVolumeSnapshotContentName != nil && *status.BoundVolumeSnapshotContentName != ""
}

func notReady(snapshot *snapshotv1.VolumeSnapshot) error {
	if status := snapshot.Status; status != nil && status.Error != nil && status.Error.Message != nil {
		return fmt.Errorf("%w: %s", errNotReady, *status.Error.Message)
	}
	return errNotReady
}

// handleOf returns the handle in the content, or errNoHandle. The content must
// point back at this incarnation of the snapshot: contents outlive snapshots,
// and names come back.
func handleOf(content *snapshotv1.VolumeSnapshotContent, snapshot *snapshotv1.VolumeSnapshot) (string, error) {
	if content.Spec.VolumeSnapshotRef.UID != snapshot.UID || content.DeletionTimestamp != nil {
		return "", fmt.Errorf("%w: content %s is of another snapshot or is being deleted", errNoHandle, content.Name)
	}
	if content.Status == nil || content.Status.SnapshotHandle == nil || *content.Status.SnapshotHandle == "" {
		return "", errNoHandle
	}
	return *content.Status.SnapshotHandle, nil
}
