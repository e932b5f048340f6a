package fakes

import (
	snapshotapi "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	snapshotclient "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned"
	snapshotfake "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/fake"
	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned/typed/volumesnapshot/v1"
	coreapi "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/snapstorm/snapstorm/sim"
)

// Clients are one program's clients of the cluster.
type Clients struct {
	Kubernetes kubernetes.Interface
	Snapshots  snapshotclient.Interface

	caller *caller
}

// Clients returns new clients. Those of a simulated process are fenced: from
// the instant that the process dies every call of theirs fails with
// "connection refused". Contexts are honoured. What a client returns is the
// caller's own copy.
//
// They are the generated fake clientsets, answered by the cluster. Their
// object trackers, Actions and reactors play no part; faults are the
// cluster's Options.
func (c *Cluster) Clients() Clients { return c.clients(sim.CurrentProcess()) }

func (c *Cluster) clients(process *sim.Process) Clients {
	all := Clients{caller: &caller{cluster: c, process: process}}
	kube := kubefake.NewSimpleClientset()
	all.Answer(&kube.Fake)
	all.Kubernetes = kubernetesClient{kube, all.caller}
	snaps := snapshotfake.NewSimpleClientset()
	all.Answer(&snaps.Fake)
	all.Snapshots = snapshotsClient{snaps, all.caller}
	return all
}

type kubernetesClient struct {
	*kubefake.Clientset
	caller *caller
}

func (k kubernetesClient) CoreV1() corev1.CoreV1Interface {
	return coreClient{k.Clientset.CoreV1(), k.caller}
}

type coreClient struct {
	corev1.CoreV1Interface
	caller *caller
}

func (c coreClient) Pods(namespace string) corev1.PodInterface {
	return podClient{
		Client[*coreapi.Pod, *coreapi.PodList]{c.caller, c.caller.cluster.tables[pods], namespace},
		otherPodCalls{c.CoreV1Interface.Pods(namespace)},
	}
}

func (c coreClient) PersistentVolumeClaims(namespace string) corev1.PersistentVolumeClaimInterface {
	return claimClient{
		Client[*coreapi.PersistentVolumeClaim, *coreapi.PersistentVolumeClaimList]{c.caller, c.caller.cluster.tables[claims], namespace},
		otherClaimCalls{c.CoreV1Interface.PersistentVolumeClaims(namespace)},
	}
}

// A method of Client is nearer than one of the generated client, which lies one
// struct deeper, so that only those which Client lacks reach the latter.
type podClient struct {
	Client[*coreapi.Pod, *coreapi.PodList]
	otherPodCalls
}

type otherPodCalls struct{ corev1.PodInterface }

type claimClient struct {
	Client[*coreapi.PersistentVolumeClaim, *coreapi.PersistentVolumeClaimList]
	otherClaimCalls
}

type otherClaimCalls struct {
	corev1.PersistentVolumeClaimInterface
}

type snapshotsClient struct {
	*snapshotfake.Clientset
	caller *caller
}

func (s snapshotsClient) SnapshotV1() snapshotv1.SnapshotV1Interface {
	return snapshotV1Client{s.Clientset.SnapshotV1(), s.caller}
}

type snapshotV1Client struct {
	snapshotv1.SnapshotV1Interface
	caller *caller
}

func (s snapshotV1Client) VolumeSnapshots(namespace string) snapshotv1.VolumeSnapshotInterface {
	return Client[*snapshotapi.VolumeSnapshot, *snapshotapi.VolumeSnapshotList]{s.caller, s.caller.cluster.tables[snapshots], namespace}
}

func (s snapshotV1Client) VolumeSnapshotContents() snapshotv1.VolumeSnapshotContentInterface {
	return Client[*snapshotapi.VolumeSnapshotContent, *snapshotapi.VolumeSnapshotContentList]{s.caller, s.caller.cluster.tables[contents], ""}
}
