package monitor

import (
	"fmt"
	"log/slog"
	"time"

	snapshotclient "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/typed/volumesnapshot/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
)

// DefaultDeadline is how long after its deletion timestamp a pod may be held
// when Config.Deadline is zero.
const DefaultDeadline = time.Hour

// Config is what a Monitor needs. The informers and the clients are required.
type Config struct {
	// Pods and Snapshots deliver *corev1.Pod and *VolumeSnapshot. They are
	// shared, so whoever made them runs them, before or after Run is called.
	Pods, Snapshots cache.SharedIndexInformer

	PodClient      coreclient.PodsGetter
	ClaimClient    coreclient.PersistentVolumeClaimsGetter
	SnapshotClient snapshotclient.VolumeSnapshotsGetter
	ContentClient  snapshotclient.VolumeSnapshotContentsGetter

	// Deadline counts from the pod's deletion timestamp. Zero means
	// DefaultDeadline.
	Deadline time.Duration

	// SnapshotClass names the VolumeSnapshotClass. Empty means the cluster's
	// default class.
	SnapshotClass string

	// Logger may be nil: then nothing is logged.
	Logger *slog.Logger
}

// complete checks the configuration and fills in the defaults.
func (c Config) complete() (Config, error) {
	if err := c.check(); err != nil {
		return c, fmt.Errorf("monitor: %w", err)
	}
	if c.Deadline == 0 {
		c.Deadline = DefaultDeadline
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, nil
}

func (c Config) check() error {
	required := []struct {
		field   string
		missing bool
	}{
		{"Pods", c.Pods == nil},
		{"Snapshots", c.Snapshots == nil},
		{"PodClient", c.PodClient == nil},
		{"ClaimClient", c.ClaimClient == nil},
		{"SnapshotClient", c.SnapshotClient == nil},
		{"ContentClient", c.ContentClient == nil},
	}
	for _, r := range required {
		if r.missing {
			return fmt.Errorf("field %s of Config is nil: set it", r.field)
		}
	}
	if c.Deadline < 0 {
		return fmt.Errorf("field Deadline of Config is %v: make it positive, or zero for %v", c.Deadline, DefaultDeadline)
	}
	return nil
}
