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

	"github.com/snapstorm/snapstorm/sim"
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
// snapshot may be ready in one write or in two, after one error or several,
// late, or, if the Options allow it, never; once ready it may get an error that
// stays, or cease to be ready for a while. A snapshot without a class gets the
// default one. Snapshots of given contents are left alone. It returns when ctx
// ends.
func (c *Cluster) SnapshotController(ctx context.Context) {
	s := &snapshotController{cluster: c, clients: c.clients(nil).Snapshots.SnapshotV1(), plans: map[types.UID]*plan{}}
	for _, way := range s.ways()[1:] {
		sim.Occurred(way, 0)
	}
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
	way        string
	errors     int  // written so far
	upset      bool // what the way does to a ready snapshot was done; under the controller's mutex

	// Nothing more will be done; under the controller's mutex.
	givenUp, cleanUpGivenUp bool
}

// The ways that a snapshot may go. Their names are what tapes and summaries
// call them.
const (
	readyAtOnce       = ""
	readyInTwoWrites  = "snapshot ready in two writes"
	readyAfterError   = "snapshot ready after an error"
	readyAfterErrors  = "snapshot ready after several errors"
	readyWithError    = "snapshot ready, then with an error that stays"
	readyUnreadyReady = "snapshot ready, not ready, ready"
	readyNever        = "snapshot never ready"
)

// errorsOf is how many errors come before a way ends.
var errorsOf = map[string]int{readyAfterError: 1, readyAfterErrors: 3}

// ways lists those that may be gone; the first is the usual one.
func (s *snapshotController) ways() []string {
	ways := []string{readyAtOnce, readyInTwoWrites, readyAfterError, readyAfterErrors, readyWithError, readyUnreadyReady}
	if s.cluster.options.SnapshotsNeverReady {
		ways = append(ways, readyNever)
	}
	return ways
}

// needs tells whether there is anything to do for a snapshot.
func (s *snapshotController) needs(o object) bool {
	snapshot := o.(*snapshotv1.VolumeSnapshot)
	if s.gaveUp(snapshot) {
		return false
	}
	if snapshot.DeletionTimestamp != nil {
		return has(snapshot, asSourceFinalizer) || has(snapshot, boundFinalizer)
	}
	return snapshot.Spec.Source.PersistentVolumeClaimName != nil && (!ready(snapshot) || s.mustUpset(snapshot))
}

// mustUpset tells whether something is still to be done to a ready snapshot.
func (s *snapshotController) mustUpset(snapshot *snapshotv1.VolumeSnapshot) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := s.plans[snapshot.UID]
	return p != nil && !p.upset && (p.way == readyWithError || p.way == readyUnreadyReady)
}

func (s *snapshotController) wasUpset(p *plan) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p.upset = true
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
	p.boundFirst = s.cluster.ask("snapshot "+key+": second finalizer before the status", 2, usually) == 1
	ways := s.ways()
	way := ways[s.cluster.ask("snapshot "+key, len(ways), usually)]
	if way != readyAtOnce {
		sim.Answered(way)
		sim.Occurred(way, 1)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p.way = way
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
