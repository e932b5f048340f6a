package example

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Plan says which pods a widget lacks and which it has too many of, given
// those that it has as far as the cache knows.
type Plan func(w *Widget, have []*corev1.Pod) (missing, surplus []*corev1.Pod)

// ByCount makes as many pods as are missing in the cache. This is the bug: the
// cache may not show yet what was made a moment ago.
func ByCount(w *Widget, have []*corev1.Pod) (missing, surplus []*corev1.Pod) {
	for range w.Spec.Replicas - len(have) {
		pod := newPod(w)
		pod.GenerateName = w.Name + "-"
		missing = append(missing, pod)
	}
	return missing, have[min(len(have), w.Spec.Replicas):]
}

// ByName makes the pods that the widget wants by their names, which no two can
// have. This is the fix.
func ByName(w *Widget, have []*corev1.Pod) (missing, surplus []*corev1.Pod) {
	surplus = slices.Clone(have)
	for i := range w.Spec.Replicas {
		pod := newPod(w)
		pod.Name = fmt.Sprintf("%s-%d", w.Name, i)
		at := slices.IndexFunc(surplus, func(p *corev1.Pod) bool { return p.Name == pod.Name })
		if at >= 0 {
			surplus = slices.Delete(surplus, at, at+1)
		} else {
			missing = append(missing, pod)
		}
	}
	return missing, surplus
}

// newPod returns a pod without a name. The garbage collector takes it away when
// its widget is gone.
func newPod(w *Widget) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       w.Namespace,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(w, WidgetKind)},
		},
		Spec: corev1.PodSpec{
			NodeName:   w.Spec.Node,
			Containers: []corev1.Container{{Name: "widget", Image: "example.com/widget"}},
		},
	}
}
