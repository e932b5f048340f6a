package fakes

import (
	"context"
	"fmt"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	snapshotDriver = "csi.example.com"
	defaultClass   = "default-snapshots"
	snapshotBytes  = 10 << 30
)

// provision makes the next write that brings a snapshot, a copy of ours, to
// ready. Which one that is follows from what the cluster holds, so that
// snapshots that were loaded half-way are finished too.
func (s *snapshotController) provision(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot) error {
	content := s.contentOf(snapshot)
	bound := snapshot.Status != nil && snapshot.Status.BoundVolumeSnapshotContentName != nil
	plan := s.choose(snapshot)
	switch {
	case ready(snapshot):
		return s.upset(ctx, snapshot, plan)
	case snapshot.Spec.VolumeSnapshotClassName == nil:
		snapshot.Spec.VolumeSnapshotClassName = new(defaultClass)
		return s.update(ctx, snapshot)
	case !has(snapshot, asSourceFinalizer):
		return s.addFinalizer(ctx, snapshot, asSourceFinalizer)
	case content == nil:
		return s.createContent(ctx, snapshot)
	case !has(snapshot, boundFinalizer) && (bound || plan.boundFirst):
		return s.addFinalizer(ctx, snapshot, boundFinalizer)
	case !bound:
		return s.bind(ctx, snapshot, content)
	case plan.errors < errorsOf[plan.way]:
		return s.fail(ctx, snapshot, plan)
	case plan.way == readyNever:
		s.giveUp(snapshot)
		return nil
	case content.Status == nil || content.Status.SnapshotHandle == nil:
		s.pause(snapshot)
		return s.cutSnapshot(ctx, content.DeepCopy(), plan.way != readyInTwoWrites)
	case plan.way == readyInTwoWrites && snapshot.Status.CreationTime == nil:
		return s.report(ctx, snapshot, false)
	case !isTrue(content.Status.ReadyToUse):
		s.pause(snapshot)
		return s.cutSnapshot(ctx, content.DeepCopy(), true)
	}
	return s.report(ctx, snapshot, true)
}

func (s *snapshotController) contentOf(snapshot *snapshotv1.VolumeSnapshot) *snapshotv1.VolumeSnapshotContent {
	name := contentName(snapshot)
	if snapshot.Status != nil && snapshot.Status.BoundVolumeSnapshotContentName != nil {
		name = *snapshot.Status.BoundVolumeSnapshotContentName
	}
	content := s.cluster.VolumeSnapshotContent(name)
	if content == nil || content.Spec.VolumeSnapshotRef.UID != snapshot.UID {
		return nil
	}
	return content
}

func (s *snapshotController) addFinalizer(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot, finalizer string) error {
	snapshot.Finalizers = append(snapshot.Finalizers, finalizer)
	return s.update(ctx, snapshot)
}

func (s *snapshotController) update(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot) error {
	_, err := s.clients.VolumeSnapshots(snapshot.Namespace).Update(ctx, snapshot, metav1.UpdateOptions{})
	return err
}

func (s *snapshotController) updateStatus(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot) error {
	_, err := s.clients.VolumeSnapshots(snapshot.Namespace).UpdateStatus(ctx, snapshot, metav1.UpdateOptions{})
	return err
}

// createContent begins the snapshot of a claim. Without the claim there is
// nothing to take a snapshot of: that is an error which stays.
func (s *snapshotController) createContent(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot) error {
	name := *snapshot.Spec.Source.PersistentVolumeClaimName
	claim := s.cluster.PersistentVolumeClaim(snapshot.Namespace, name)
	if claim == nil {
		s.giveUp(snapshot)
		return s.writeError(ctx, snapshot, fmt.Sprintf("persistentvolumeclaims %q not found", name))
	}
	_, err := s.clients.VolumeSnapshotContents().Create(ctx, newContent(snapshot, claim), metav1.CreateOptions{})
	return err
}

func newContent(snapshot *snapshotv1.VolumeSnapshot, claim *corev1.PersistentVolumeClaim) *snapshotv1.VolumeSnapshotContent {
	volume := claim.Spec.VolumeName
	if volume == "" {
		volume = "pvc-" + string(claim.UID)
	}
	return &snapshotv1.VolumeSnapshotContent{
		ObjectMeta: metav1.ObjectMeta{Name: contentName(snapshot), Finalizers: []string{contentFinalizer}},
		Spec: snapshotv1.VolumeSnapshotContentSpec{
			VolumeSnapshotRef: corev1.ObjectReference{
				APIVersion: snapshotv1.SchemeGroupVersion.String(), Kind: "VolumeSnapshot",
				Namespace: snapshot.Namespace, Name: snapshot.Name,
				UID: snapshot.UID, ResourceVersion: snapshot.ResourceVersion,
			},
			DeletionPolicy:          snapshotv1.VolumeSnapshotContentDelete,
			Driver:                  snapshotDriver,
			VolumeSnapshotClassName: snapshot.Spec.VolumeSnapshotClassName,
			Source:                  snapshotv1.VolumeSnapshotContentSource{VolumeHandle: &volume},
		},
	}
}

func (s *snapshotController) bind(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot, content *snapshotv1.VolumeSnapshotContent) error {
	status := statusOf(snapshot)
	status.BoundVolumeSnapshotContentName = &content.Name
	status.ReadyToUse = new(false)
	return s.updateStatus(ctx, snapshot)
}

// fail writes the error of a first try; the controller tries again.
func (s *snapshotController) fail(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot, p *plan) error {
	s.pause(snapshot)
	err := s.writeError(ctx, snapshot, fmt.Sprintf("failed to take snapshot of the volume: deadline exceeded (try %d)", p.errors+1))
	if err == nil {
		p.errors++
	}
	return err
}

// upset is what may become of a snapshot that is ready: an error that stays,
// for the class was deleted, or no longer ready until the controller sees the
// content again.
func (s *snapshotController) upset(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot, p *plan) error {
	s.pause(snapshot)
	status := statusOf(snapshot)
	message := "failed to get the snapshot class: not found"
	if p.way == readyUnreadyReady {
		message = "VolumeSnapshotContent is missing"
		status.ReadyToUse = new(false)
	}
	status.Error = &snapshotv1.VolumeSnapshotError{Time: new(now()), Message: &message}
	err := s.updateStatus(ctx, snapshot)
	if err == nil {
		s.wasUpset(p)
	}
	return err
}

func (s *snapshotController) writeError(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot, message string) error {
	status := statusOf(snapshot)
	status.ReadyToUse = new(false)
	status.Error = &snapshotv1.VolumeSnapshotError{Time: new(now()), Message: &message}
	return s.updateStatus(ctx, snapshot)
}

// cutSnapshot is the storage's part: from here on the snapshot has a handle.
func (s *snapshotController) cutSnapshot(ctx context.Context, content *snapshotv1.VolumeSnapshotContent, ready bool) error {
	if content.Status == nil {
		content.Status = &snapshotv1.VolumeSnapshotContentStatus{}
	}
	content.Status.SnapshotHandle = new("snap-" + string(content.UID))
	content.Status.CreationTime = new(now().UnixNano())
	content.Status.RestoreSize = new(int64(snapshotBytes))
	content.Status.ReadyToUse = &ready
	_, err := s.clients.VolumeSnapshotContents().UpdateStatus(ctx, content, metav1.UpdateOptions{})
	return err
}

// report copies the content's state to the snapshot. Ready clears an error.
func (s *snapshotController) report(ctx context.Context, snapshot *snapshotv1.VolumeSnapshot, ready bool) error {
	status := statusOf(snapshot)
	status.CreationTime = new(now())
	status.RestoreSize = resource.NewQuantity(snapshotBytes, resource.BinarySI)
	status.ReadyToUse = &ready
	if ready {
		status.Error = nil
	}
	return s.updateStatus(ctx, snapshot)
}

func statusOf(snapshot *snapshotv1.VolumeSnapshot) *snapshotv1.VolumeSnapshotStatus {
	if snapshot.Status == nil {
		snapshot.Status = &snapshotv1.VolumeSnapshotStatus{}
	}
	return snapshot.Status
}
