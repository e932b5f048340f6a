package fakes

import (
	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// object is what all served types are.
type object interface {
	runtime.Object
	metav1.Object
}

// kind is what the API server knows of one resource.
type kind struct {
	resource   schema.GroupVersionResource
	kind       schema.GroupVersionKind
	namespaced bool
	custom     bool // served from a definition: updates need a resourceVersion

	fresh      func() object
	list       func(records []*record, meta metav1.ListMeta) runtime.Object
	sameSpec   func(a, b object) bool
	sameStatus func(a, b object) bool
	takeStatus func(to, from object)
	newborn    func(object) // the status at creation
	grace      func(object) int64
}

// The tables of a cluster, in the order of their resource names.
const (
	claims = iota
	pods
	contents
	snapshots
	tableCount
)

var kinds = [tableCount]*kind{
	claims: {
		resource:   corev1.SchemeGroupVersion.WithResource("persistentvolumeclaims"),
		kind:       corev1.SchemeGroupVersion.WithKind("PersistentVolumeClaim"),
		namespaced: true,
		fresh:      func() object { return new(corev1.PersistentVolumeClaim) },
		list: func(records []*record, meta metav1.ListMeta) runtime.Object {
			return &corev1.PersistentVolumeClaimList{ListMeta: meta, Items: items[corev1.PersistentVolumeClaim](records)}
		},
		sameSpec:   same(func(c *corev1.PersistentVolumeClaim) any { return &c.Spec }),
		sameStatus: same(func(c *corev1.PersistentVolumeClaim) any { return &c.Status }),
		takeStatus: func(to, from object) {
			from.(*corev1.PersistentVolumeClaim).Status.DeepCopyInto(&to.(*corev1.PersistentVolumeClaim).Status)
		},
		newborn: func(o object) {
			o.(*corev1.PersistentVolumeClaim).Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending}
		},
		grace: noGrace,
	},
	pods: {
		resource:   corev1.SchemeGroupVersion.WithResource("pods"),
		kind:       corev1.SchemeGroupVersion.WithKind("Pod"),
		namespaced: true,
		fresh:      func() object { return new(corev1.Pod) },
		list: func(records []*record, meta metav1.ListMeta) runtime.Object {
			return &corev1.PodList{ListMeta: meta, Items: items[corev1.Pod](records)}
		},
		sameSpec:   same(func(p *corev1.Pod) any { return &p.Spec }),
		sameStatus: same(func(p *corev1.Pod) any { return &p.Status }),
		takeStatus: func(to, from object) {
			from.(*corev1.Pod).Status.DeepCopyInto(&to.(*corev1.Pod).Status)
		},
		newborn: func(o object) { o.(*corev1.Pod).Status = corev1.PodStatus{Phase: corev1.PodPending} },
		grace:   podGrace,
	},
	contents: {
		resource: snapshotv1.SchemeGroupVersion.WithResource("volumesnapshotcontents"),
		kind:     snapshotv1.SchemeGroupVersion.WithKind("VolumeSnapshotContent"),
		custom:   true,
		fresh:    func() object { return new(snapshotv1.VolumeSnapshotContent) },
		list: func(records []*record, meta metav1.ListMeta) runtime.Object {
			return &snapshotv1.VolumeSnapshotContentList{ListMeta: meta, Items: items[snapshotv1.VolumeSnapshotContent](records)}
		},
		sameSpec:   same(func(c *snapshotv1.VolumeSnapshotContent) any { return &c.Spec }),
		sameStatus: same(func(c *snapshotv1.VolumeSnapshotContent) any { return &c.Status }),
		takeStatus: func(to, from object) {
			to.(*snapshotv1.VolumeSnapshotContent).Status = from.(*snapshotv1.VolumeSnapshotContent).Status.DeepCopy()
		},
		newborn: func(o object) { o.(*snapshotv1.VolumeSnapshotContent).Status = nil },
		grace:   noGrace,
	},
	snapshots: {
		resource:   snapshotv1.SchemeGroupVersion.WithResource("volumesnapshots"),
		kind:       snapshotv1.SchemeGroupVersion.WithKind("VolumeSnapshot"),
		namespaced: true,
		custom:     true,
		fresh:      func() object { return new(snapshotv1.VolumeSnapshot) },
		list: func(records []*record, meta metav1.ListMeta) runtime.Object {
			return &snapshotv1.VolumeSnapshotList{ListMeta: meta, Items: items[snapshotv1.VolumeSnapshot](records)}
		},
		sameSpec:   same(func(s *snapshotv1.VolumeSnapshot) any { return &s.Spec }),
		sameStatus: same(func(s *snapshotv1.VolumeSnapshot) any { return &s.Status }),
		takeStatus: func(to, from object) {
			to.(*snapshotv1.VolumeSnapshot).Status = from.(*snapshotv1.VolumeSnapshot).Status.DeepCopy()
		},
		newborn: func(o object) { o.(*snapshotv1.VolumeSnapshot).Status = nil },
		grace:   noGrace,
	},
}

// items copies objects into the slice of a typed list.
func items[T any, P interface {
	*T
	DeepCopyInto(*T)
}](records []*record) []T {
	copies := make([]T, len(records))
	for i, r := range records {
		any(r.object).(P).DeepCopyInto(&copies[i])
	}
	return copies
}

func same[T object](spec func(T) any) func(a, b object) bool {
	return func(a, b object) bool {
		return equality.Semantic.DeepEqual(spec(a.(T)), spec(b.(T)))
	}
}

func noGrace(object) int64 { return 0 }

// podGrace is how long a pod may take to stop: nothing when no kubelet has it
// or its containers have ended, as in the API server.
func podGrace(o object) int64 {
	pod := o.(*corev1.Pod)
	ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	switch {
	case pod.Spec.NodeName == "" || ended:
		return 0
	case pod.Spec.TerminationGracePeriodSeconds != nil:
		return *pod.Spec.TerminationGracePeriodSeconds
	}
	return corev1.DefaultTerminationGracePeriodSeconds
}

func (k *kind) groupResource() schema.GroupResource { return k.resource.GroupResource() }

// key is where an object is kept: namespace/name, or the name alone.
func (k *kind) key(namespace, name string) string {
	if !k.namespaced {
		return name
	}
	return namespace + "/" + name
}
