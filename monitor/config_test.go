package monitor

import (
	"context"
	"strings"
	"testing"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// someConfig is complete. Its informers have nothing to list.
func someConfig() Config {
	core, snapshots := clientsWith(newStage())
	informer := func(o runtime.Object) cache.SharedIndexInformer {
		return cache.NewSharedIndexInformer(&cache.ListWatch{}, o, 0, cache.Indexers{})
	}
	return Config{
		Pods: informer(&corev1.Pod{}), Snapshots: informer(&snapshotv1.VolumeSnapshot{}),
		PodClient: core.CoreV1(), ClaimClient: core.CoreV1(),
		SnapshotClient: snapshots.SnapshotV1(), ContentClient: snapshots.SnapshotV1(),
	}
}

func TestNewRefusesWhatIsMissing(t *testing.T) {
	for field, change := range map[string]func(*Config){
		"Pods":           func(c *Config) { c.Pods = nil },
		"Snapshots":      func(c *Config) { c.Snapshots = nil },
		"PodClient":      func(c *Config) { c.PodClient = nil },
		"ClaimClient":    func(c *Config) { c.ClaimClient = nil },
		"SnapshotClient": func(c *Config) { c.SnapshotClient = nil },
		"ContentClient":  func(c *Config) { c.ContentClient = nil },
		"Deadline":       func(c *Config) { c.Deadline = -time.Second },
	} {
		config := someConfig()
		change(&config)
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("without a good %s: got error %v, want one that names it", field, err)
		}
	}
	m, err := New(someConfig())
	if err != nil || m.config.Deadline != DefaultDeadline {
		t.Errorf("complete: got %v, deadline %v, want %v", err, m.config.Deadline, DefaultDeadline)
	}
}

// An informer that has stopped takes no handlers: Run says so, unless it is to stop as well.
func TestRunWithoutInformers(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, stop := range []func(Config) cache.SharedIndexInformer{
		func(c Config) cache.SharedIndexInformer { return c.Pods },
		func(c Config) cache.SharedIndexInformer { return c.Snapshots },
	} {
		config := someConfig()
		stop(config).RunWithContext(ended)
		m, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Run(t.Context()); err == nil {
			t.Error("Run with an informer that has stopped: got no error")
		}
		if err := m.Run(ended); err != nil {
			t.Errorf("Run when all is to stop: got %v", err)
		}
	}
}
