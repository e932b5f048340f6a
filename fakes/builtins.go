package fakes

import (
	"strconv"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
)

// The tables that every cluster has.
const (
	claims = iota
	pods
	contents
	snapshots
	alwaysCount
)

// always are the types that every cluster serves, in the order of their
// resource names.
var always = [alwaysCount]Type{
	claims: core[*corev1.PersistentVolumeClaim, *corev1.PersistentVolumeClaimList]("persistentvolumeclaims").with(func(k *kind) {
		k.newborn = func(o object) {
			o.(*corev1.PersistentVolumeClaim).Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending}
		}
	}),
	pods: core[*corev1.Pod, *corev1.PodList]("pods").with(func(k *kind) {
		k.numbered = true
		k.newborn = func(o object) { o.(*corev1.Pod).Status = corev1.PodStatus{Phase: corev1.PodPending} }
		k.grace = podGrace
		k.selectable = podFields
	}),
	contents: TypeOf[*snapshotv1.VolumeSnapshotContent, *snapshotv1.VolumeSnapshotContentList](
		snapshotv1.SchemeGroupVersion.WithResource("volumesnapshotcontents")).ClusterScoped(),
	snapshots: TypeOf[*snapshotv1.VolumeSnapshot, *snapshotv1.VolumeSnapshotList](
		snapshotv1.SchemeGroupVersion.WithResource("volumesnapshots")),
}

// Built-in types that a cluster serves if its Options name them. No controller
// of theirs acts: a deployment makes no pods unless the scenario does.
var (
	ConfigMaps = core[*corev1.ConfigMap, *corev1.ConfigMapList]("configmaps")

	Events = core[*corev1.Event, *corev1.EventList]("events").with(func(k *kind) { k.selectable = eventFields })

	Nodes = core[*corev1.Node, *corev1.NodeList]("nodes").ClusterScoped().with(func(k *kind) {
		k.newborn = func(object) {} // a kubelet creates its node with a status
		k.selectable = nodeFields
	})

	PersistentVolumes = core[*corev1.PersistentVolume, *corev1.PersistentVolumeList]("persistentvolumes").ClusterScoped().with(func(k *kind) {
		k.newborn = func(o object) {
			o.(*corev1.PersistentVolume).Status = corev1.PersistentVolumeStatus{Phase: corev1.VolumePending}
		}
	})

	Deployments = TypeOf[*appsv1.Deployment, *appsv1.DeploymentList](
		appsv1.SchemeGroupVersion.WithResource("deployments")).BuiltIn().withGenerations()

	StatefulSets = TypeOf[*appsv1.StatefulSet, *appsv1.StatefulSetList](
		appsv1.SchemeGroupVersion.WithResource("statefulsets")).BuiltIn().withGenerations()

	// Jobs leave their pods behind when they are deleted without a propagation
	// policy, unlike all others.
	Jobs = TypeOf[*batchv1.Job, *batchv1.JobList](batchv1.SchemeGroupVersion.WithResource("jobs")).
		BuiltIn().withGenerations().with(func(k *kind) { k.orphans = true })

	Leases = TypeOf[*coordinationv1.Lease, *coordinationv1.LeaseList](
		coordinationv1.SchemeGroupVersion.WithResource("leases")).BuiltIn()
)

func core[T interface {
	object
	DeepCopyInto(T)
}, L runtime.Object](resource string) Type {
	return TypeOf[T, L](corev1.SchemeGroupVersion.WithResource(resource)).BuiltIn()
}

func (t Type) withGenerations() Type { return t.with(func(k *kind) { k.numbered = true }) }

// podGrace is how long a pod may take to stop: nothing when no kubelet has it
// or its containers have ended, as in the API server.
func podGrace(o object) int64 {
	pod := o.(*corev1.Pod)
	switch {
	case pod.Spec.NodeName == "" || ended(pod):
		return 0
	case pod.Spec.TerminationGracePeriodSeconds != nil:
		return *pod.Spec.TerminationGracePeriodSeconds
	}
	return corev1.DefaultTerminationGracePeriodSeconds
}

func podFields(o object) fields.Set {
	pod := o.(*corev1.Pod)
	return fields.Set{
		"spec.nodeName":            pod.Spec.NodeName,
		"spec.restartPolicy":       string(pod.Spec.RestartPolicy),
		"spec.schedulerName":       pod.Spec.SchedulerName,
		"spec.serviceAccountName":  pod.Spec.ServiceAccountName,
		"status.phase":             string(pod.Status.Phase),
		"status.nominatedNodeName": pod.Status.NominatedNodeName,
	}
}

func nodeFields(o object) fields.Set {
	return fields.Set{"spec.unschedulable": strconv.FormatBool(o.(*corev1.Node).Spec.Unschedulable)}
}

func eventFields(o object) fields.Set {
	e := o.(*corev1.Event)
	return fields.Set{
		"involvedObject.apiVersion": e.InvolvedObject.APIVersion,
		"involvedObject.kind":       e.InvolvedObject.Kind,
		"involvedObject.name":       e.InvolvedObject.Name,
		"involvedObject.namespace":  e.InvolvedObject.Namespace,
		"involvedObject.uid":        string(e.InvolvedObject.UID),
		"reason":                    e.Reason,
		"type":                      e.Type,
	}
}
