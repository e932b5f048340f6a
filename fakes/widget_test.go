package fakes

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var widgetGroup = schema.GroupVersion{Group: "example.com", Version: "v1"}

// Types of a user's own, as a generator of deep copies would leave them.
var (
	widgets = TypeOf[*Widget, *WidgetList](widgetGroup.WithResource("widgets"))
	racks   = TypeOf[*Rack, *RackList](widgetGroup.WithResource("racks")).ClusterScoped()
)

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   WidgetSpec   `json:"spec"`
	Status WidgetStatus `json:"status"`
}

type WidgetSpec struct {
	Size  int      `json:"size"`
	Parts []string `json:"parts,omitempty"`
}

type WidgetStatus struct {
	Ready bool     `json:"ready"`
	Done  []string `json:"done,omitempty"`
}

type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Widget `json:"items"`
}

func (w *Widget) DeepCopyInto(to *Widget) {
	*to = *w
	w.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
	to.Spec.Parts = slices.Clone(w.Spec.Parts)
	to.Status.Done = slices.Clone(w.Status.Done)
}

func (w *Widget) DeepCopyObject() runtime.Object {
	to := new(Widget)
	w.DeepCopyInto(to)
	return to
}

func (l *WidgetList) DeepCopyObject() runtime.Object {
	to := &WidgetList{TypeMeta: l.TypeMeta, ListMeta: l.ListMeta, Items: make([]Widget, len(l.Items))}
	for i := range l.Items {
		l.Items[i].DeepCopyInto(&to.Items[i])
	}
	return to
}

// Rack has neither a namespace, nor a spec, nor a status.
type Rack struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Height int `json:"height"`
}

type RackList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Rack `json:"items"`
}

func (r *Rack) DeepCopyInto(to *Rack) {
	*to = *r
	r.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
}

func (r *Rack) DeepCopyObject() runtime.Object {
	to := new(Rack)
	r.DeepCopyInto(to)
	return to
}

func (l *RackList) DeepCopyObject() runtime.Object {
	return &RackList{TypeMeta: l.TypeMeta, ListMeta: l.ListMeta, Items: slices.Clone(l.Items)}
}

func widget(name string) *Widget {
	return &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Spec: WidgetSpec{Parts: []string{"part"}}}
}

// withWidgets returns a cluster that serves all types of tests, and a client.
func withWidgets(f Faults) (*Cluster, Client[*Widget, *WidgetList]) {
	c := NewCluster(Options{Faults: f, Types: []Type{widgets, racks, ConfigMaps, Events, Deployments, Jobs}})
	return c, ClientFor[*Widget, *WidgetList](c.Clients(), "default")
}
