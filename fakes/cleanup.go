package fakes

import (
	"context"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// cleanUp makes the next write for a snapshot, a copy of ours, that is being
// deleted: the first finalizer goes, then the content unless its policy keeps
// it, then the second finalizer and with it the snapshot.
func (s *snapshotController) cleanUp(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot) error {
	content := s.contentOf(snapshot)
	retained := content == nil || content.Spec.DeletionPolicy == snapshotv1.VolumeSnapshotContentRetain
	switch {
	case retained:
		snapshot.Finalizers = without(without(snapshot.Finalizers, asSourceFinalizer), boundFinalizer)
		return s.update(ctx, snapshot)
	case has(snapshot, asSourceFinalizer):
		snapshot.Finalizers = without(snapshot.Finalizers, asSourceFinalizer)
		return s.update(ctx, snapshot)
	case content.DeletionTimestamp == nil:
		return s.clients.VolumeSnapshotContents().Delete(ctx, content.Name, metav1.DeleteOptions{
			Preconditions: &metav1.Preconditions{UID: &content.UID},
		})
	case has(content, contentFinalizer):
		free := content.DeepCopy()
		free.Finalizers = without(free.Finalizers, contentFinalizer)
		_, err := s.clients.VolumeSnapshotContents().Update(ctx, free, metav1.UpdateOptions{})
		return err
	}
	s.giveUp(snapshot) // somebody else's finalizer holds the content
	return nil
}
