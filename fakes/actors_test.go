package fakes

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func claim(name string) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, Finalizers: []string{claimProtection},
	}}
}

func snapshotOf(name, claim string) *snapshotv1.VolumeSnapshot {
	s := snapshot(name)
	s.Spec.Source.PersistentVolumeClaimName = &claim
	return s
}

// act runs actors over a cluster in a bubble; answers are to their questions,
// in order, and zero after that.
func act(t *testing.T, o Options, answers []int, play func(*Cluster, Clients)) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCluster(o)
		c.ask = func(string, int, int) int {
			if len(answers) == 0 {
				return 0
			}
			a := answers[0]
			answers = answers[1:]
			return a
		}
		running, cancel := context.WithCancel(ctx)
		go c.SnapshotController(running)
		go c.Kubelet(running)
		play(c, c.Clients())
		cancel()
		synctest.Wait()
	})
}

// life returns what watchers see of an object's status, change by change.
func life(c *Cluster, resource string) (lines []string) {
	for _, ch := range c.Changes() {
		s, ok := ch.Object.(*snapshotv1.VolumeSnapshot)
		if !ok || ch.Resource != resource {
			continue
		}
		line := string(ch.Type)
		switch st := s.Status; {
		case st == nil:
		case st.Error != nil && isTrue(st.ReadyToUse):
			line += " ready with error"
		case st.Error != nil:
			line += " error"
		case isTrue(st.ReadyToUse):
			line += " ready"
		case st.CreationTime != nil:
			line += " cut"
		case st.BoundVolumeSnapshotContentName != nil:
			line += " bound"
		}
		lines = append(lines, line)
	}
	return lines
}

func TestSnapshotController(t *testing.T) {
	o := Options{SnapshotsNeverReady: true}
	check := func(boundFirst int, way string, want ...string) {
		t.Helper()
		ways := (&snapshotController{cluster: NewCluster(o)}).ways()
		act(t, o, []int{boundFirst, slices.Index(ways, way)}, func(c *Cluster, api Clients) {
			require.NoError(t, c.Add(claim("a")))
			_, err := api.Snapshots.SnapshotV1().VolumeSnapshots("default").Create(ctx, snapshotOf("s", "a"), metav1.CreateOptions{})
			require.NoError(t, err)
			synctest.Wait()
			require.Equal(t, want, life(c, "volumesnapshots"))
		})
	}
	// The first two changes set the class and a finalizer.
	check(1, readyAtOnce, "ADDED", "MODIFIED", "MODIFIED", "MODIFIED", "MODIFIED bound", "MODIFIED ready")
	bound := []string{"ADDED", "MODIFIED", "MODIFIED", "MODIFIED bound", "MODIFIED bound"}
	for way, rest := range map[string][]string{
		readyAtOnce:       {"MODIFIED ready"},
		readyInTwoWrites:  {"MODIFIED cut", "MODIFIED ready"},
		readyAfterError:   {"MODIFIED error", "MODIFIED ready"},
		readyAfterErrors:  {"MODIFIED error", "MODIFIED error", "MODIFIED error", "MODIFIED ready"},
		readyWithError:    {"MODIFIED ready", "MODIFIED ready with error"},
		readyUnreadyReady: {"MODIFIED ready", "MODIFIED error", "MODIFIED ready"},
		readyNever:        nil,
	} {
		check(0, way, slices.Concat(bound, rest)...)
	}
}

func TestSnapshotIsBoundToItsContent(t *testing.T) {
	act(t, Options{SnapshotDelays: []time.Duration{time.Minute}}, nil, func(c *Cluster, api Clients) {
		require.NoError(t, c.Add(claim("a"), snapshotOf("s", "a")))
		synctest.Wait()
		require.False(t, ready(c.VolumeSnapshot("default", "s")))
		time.Sleep(time.Minute)
		synctest.Wait()
		s := c.VolumeSnapshot("default", "s")
		require.True(t, ready(s))
		content := c.VolumeSnapshotContent(*s.Status.BoundVolumeSnapshotContentName)
		require.Equal(t, "snapcontent-"+string(s.UID), content.Name)
		require.Equal(t, s.UID, content.Spec.VolumeSnapshotRef.UID)
		require.NotEmpty(t, *content.Status.SnapshotHandle)

		require.NoError(t, api.Snapshots.SnapshotV1().VolumeSnapshots("default").Delete(ctx, "s", metav1.DeleteOptions{}))
		synctest.Wait()
		require.Nil(t, c.VolumeSnapshot("default", "s"))
		require.Empty(t, c.VolumeSnapshotContents())
	})
}

func TestSnapshotWithoutItsClaimFails(t *testing.T) {
	act(t, Options{}, nil, func(c *Cluster, _ Clients) {
		require.NoError(t, c.Add(snapshotOf("s", "missing")))
		synctest.Wait()
		require.Equal(t, `persistentvolumeclaims "missing" not found`, *c.VolumeSnapshot("default", "s").Status.Error.Message)
	})
}

// A snapshot that is deleted and created again under its name is another one.
func TestSnapshotControllerMeetsNameReuse(t *testing.T) {
	act(t, Options{SnapshotDelays: []time.Duration{time.Minute}}, nil, func(c *Cluster, api Clients) {
		snaps := api.Snapshots.SnapshotV1().VolumeSnapshots("default")
		require.NoError(t, c.Add(claim("a"), snapshotOf("s", "a")))
		synctest.Wait()
		first := c.VolumeSnapshot("default", "s").UID
		require.NoError(t, snaps.Delete(ctx, "s", metav1.DeleteOptions{}))
		time.Sleep(time.Minute) // the task that cares for it sleeps so long
		synctest.Wait()
		require.Nil(t, c.VolumeSnapshot("default", "s"))
		_, err := snaps.Create(ctx, snapshotOf("s", "a"), metav1.CreateOptions{})
		require.NoError(t, err)
		time.Sleep(time.Minute)
		synctest.Wait()
		second := c.VolumeSnapshot("default", "s")
		require.NotEqual(t, first, second.UID)
		require.Equal(t, "snapcontent-"+string(second.UID), *second.Status.BoundVolumeSnapshotContentName)
	})
}

func TestKubelet(t *testing.T) {
	act(t, Options{StopDelays: []time.Duration{5 * time.Second}}, nil, func(c *Cluster, api Clients) {
		p := pod("a")
		p.Spec.NodeName = "node"
		p.Finalizers = []string{"example.com/backup"}
		p.Status.Phase = corev1.PodRunning
		p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "a"},
		}}}
		require.NoError(t, c.Add(p, claim("a")))
		core := api.Kubernetes.CoreV1()
		require.NoError(t, core.PersistentVolumeClaims("default").Delete(ctx, "a", metav1.DeleteOptions{}))
		require.NoError(t, core.Pods("default").Delete(ctx, "a", metav1.DeleteOptions{}))
		synctest.Wait()
		require.NotNil(t, c.PersistentVolumeClaim("default", "a"), "a pod uses it")

		time.Sleep(5 * time.Second)
		synctest.Wait()
		require.Equal(t, corev1.PodSucceeded, c.Pod("default", "a").Status.Phase)
		require.Equal(t, int64(0), *c.Pod("default", "a").DeletionGracePeriodSeconds)
		require.Nil(t, c.PersistentVolumeClaim("default", "a"))

		_, err := core.Pods("default").Patch(ctx, "a", "application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		require.NoError(t, err)
		require.Nil(t, c.Pod("default", "a"))
	})
}
