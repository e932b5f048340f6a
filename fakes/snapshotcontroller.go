package fakes

import (
	"context"
	"slices"
	"sync"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	snapshotclient "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/typed/volumesnapshot/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Finalizers of the snapshot controller.
const (
	asSourceFinalizer = "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection"
	boundFinalizer    = "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection"
	contentFinalizer  = "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection"
)

// SnapshotController takes the snapshots of claims and cleans up after those
// that are deleted, with the writes of the CSI external snapshotter, in its
// order. Where that controller has several ways, the scheduler chooses: a
// snapshot may be ready in one write or in two, after an error, late, or, if
// the Options allow it, never. Snapshots of given contents are left alone. It
// returns when ctx ends.
func (c *Cluster) SnapshotController(ctx context.Context) {
	s := &snapshotController{cluster: c, clients: c.clients(nil).Snapshots.SnapshotV1(), plans: map[types.UID]*plan{}}
	a := &actor{name: "snapshot controller", cluster: c, table: c.tables[snapshots], needs: s.needs, care: s.care}
	a.run(ctx)
}

type snapshotController struct {
	cluster *Cluster
	clients snapshotclient.SnapshotV1Interface

	mutex sync.Mutex
	plans map[types.UID]*plan // looked up, never listed
}

// plan is what the scheduler chose for one snapshot. It belongs to the task
// that cares for the snapshot, but for its last fields.
type plan struct {
	decided    bool
	boundFirst bool // the second finalizer comes before the status
	way        int
	failed     bool // the error was written

	// Nothing more will be done; under the controller's mutex.
	givenUp, cleanUpGivenUp bool
}

// The ways to a ready snapshot.
const (
	readyAtOnce = iota
	readyInTwoWrites
	readyAfterError
	readyNever
)

// needs tells whether there is anything to do for a snapshot.
func (s *snapshotController) needs(o object) bool {
	snapshot := o.(*snapshotv1.VolumeSnapshot)
	if s.gaveUp(snapshot) {
		return false
	}
	if snapshot.DeletionTimestamp != nil {
		return has(snapshot, asSourceFinalizer) || has(snapshot, boundFinalizer)
	}
	return snapshot.Spec.Source.PersistentVolumeClaimName != nil && !ready(snapshot)
}

func (s *snapshotController) gaveUp(snapshot *snapshotv1.VolumeSnapshot) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := s.plans[snapshot.UID]
	return p != nil && (p.cleanUpGivenUp || p.givenUp && snapshot.DeletionTimestamp == nil)
}

func (s *snapshotController) giveUp(snapshot *snapshotv1.VolumeSnapshot) {
	p := s.planFor(snapshot.UID)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p.givenUp = true
	p.cleanUpGivenUp = snapshot.DeletionTimestamp != nil
}

func (s *snapshotController) planFor(uid types.UID) *plan {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.plans[uid] == nil {
		s.plans[uid] = &plan{}
	}
	return s.plans[uid]
}

// care makes the next write for a snapshot. After a conflict the next round
// sees the new state; what can never succeed is given up.
func (s *snapshotController) care(ctx context.Context, o object) {
	snapshot := o.(*snapshotv1.VolumeSnapshot)
	write := s.provision
	if snapshot.DeletionTimestamp != nil {
		write = s.cleanUp
	}
	err := write(ctx, snapshot.DeepCopy())
	if err == nil || apierrors.IsConflict(err) || apierrors.IsNotFound(err) || apierrors.IsAlreadyExists(err) || ctx.Err() != nil {
		return
	}
	s.giveUp(snapshot)
}

// choose asks once for a snapshot how it will go.
func (s *snapshotController) choose(snapshot *snapshotv1.VolumeSnapshot) *plan {
	p := s.planFor(snapshot.UID)
	if p.decided {
		return p
	}
	p.decided = true
	key := snapshot.Namespace + "/" + snapshot.Name
	ways := readyNever
	if s.cluster.options.SnapshotsNeverReady {
		ways++
	}
	p.boundFirst = s.cluster.ask("snapshot "+key+": second finalizer before the status", 2, usually) == 1
	p.way = s.cluster.ask("snapshot "+key+": ready in two writes, after an error, never", ways, usually)
	return p
}

func (s *snapshotController) pause(snapshot *snapshotv1.VolumeSnapshot) {
	s.cluster.pause("snapshot "+snapshot.Namespace+"/"+snapshot.Name, s.cluster.options.SnapshotDelays)
}

func has(o metav1.Object, finalizer string) bool {
	return slices.Contains(o.GetFinalizers(), finalizer)
}

func without(finalizers []string, finalizer string) []string {
	return slices.DeleteFunc(finalizers, func(f string) bool { return f == finalizer })
}

func ready(snapshot *snapshotv1.VolumeSnapshot) bool {
	return snapshot.Status != nil && isTrue(snapshot.Status.ReadyToUse)
}

func isTrue(b *bool) bool { return b != nil && *b }

func contentName(snapshot *snapshotv1.VolumeSnapshot) string {
	return "snapcontent-" + string(snapshot.UID)
}
