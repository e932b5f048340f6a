package example

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is that of the custom resource, and WidgetKind its kind.
var (
	GroupVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}
	WidgetKind   = GroupVersion.WithKind("Widget")
)

// Widget asks for pods.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   WidgetSpec   `json:"spec"`
	Status WidgetStatus `json:"status"`
}

// WidgetSpec is what the user wants.
type WidgetSpec struct {
	Replicas int    `json:"replicas"` // how many pods
	Node     string `json:"node"`     // where they run
}

// WidgetStatus is what the controller has seen.
type WidgetStatus struct {
	Pods int `json:"pods"` // how many there are
}

// WidgetList is a list of widgets.
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Widget `json:"items"`
}

// The copies are what controller-gen would generate.

// DeepCopyInto makes to a copy of w.
func (w *Widget) DeepCopyInto(to *Widget) {
	*to = *w
	w.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
}

// DeepCopy returns a copy of w.
func (w *Widget) DeepCopy() *Widget {
	to := new(Widget)
	w.DeepCopyInto(to)
	return to
}

// DeepCopyObject is DeepCopy as a runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object { return w.DeepCopy() }

// DeepCopyObject returns a copy of the list.
func (l *WidgetList) DeepCopyObject() runtime.Object {
	to := &WidgetList{TypeMeta: l.TypeMeta, Items: make([]Widget, len(l.Items))}
	l.ListMeta.DeepCopyInto(&to.ListMeta)
	for i := range l.Items {
		l.Items[i].DeepCopyInto(&to.Items[i])
	}
	return to
}
