package conformance

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
)

var (
	names = rapid.SampledFrom([]string{"a", "a", "b"})

	anyPlace = rapid.Custom(func(t *rapid.T) place {
		p := area.Draw(t, "area")
		if p.Resource == snapshots && p.Namespace == "" {
			p.Namespace = "x"
		}
		p.Name = names.Draw(t, "name")
		return p
	})

	// Most happens in one place, so that calls meet.
	area = rapid.SampledFrom([]place{{snapshots, "x", ""}, {snapshots, "x", ""}, {snapshots, "y", ""}, {contents, "", ""}, {snapshots, "", ""}})

	ago       = rapid.SampledFrom([]int{0, 0, 0, 1, 2})
	agoOrNone = rapid.SampledFrom([]int{none, none, none, 0, 1})
	required  = rapid.SampledFrom([]int{none, none, none, 0, 1, foreign})
	seldom    = rapid.SampledFrom([]bool{false, false, false, true})
)

// What is merged into objects, and sent as patches.
var (
	usual = []string{
		`{"metadata":{"labels":{"x":"1"}}}`,
		`{"metadata":{"labels":{"x":"2","more":"yes"}}}`,
		`{"metadata":{"labels":null}}`,
		`{"metadata":{"annotations":{"note":"n"}}}`,
		`{"metadata":{"finalizers":["example.com/f"]}}`,
		`{"metadata":{"finalizers":["example.com/f","example.com/g"]}}`,
		`{"metadata":{"finalizers":null}}`,
		`{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"o","uid":"o"}]}}`,
		`{"spec":{"volumeSnapshotClassName":"fast"}}`,
		`{"spec":{"volumeSnapshotClassName":null}}`,
		`{"status":{"readyToUse":true}}`,
		`{"status":{"readyToUse":false,"error":{"message":"m"}}}`,
		`{"status":null}`,
	}
	odd = []string{
		`{"metadata":{"uid":"other"}}`,
		`{"metadata":{"uid":""}}`,
		`{"metadata":{"resourceVersion":""}}`,
		`{"metadata":{"resourceVersion":"999999999"}}`,
		`{"metadata":{"resourceVersion":"x"}}`,
		`{"metadata":{"namespace":"z"}}`,
		`{"metadata":{"generation":9}}`,
		`{"metadata":{"generateName":"other-"}}`,
		`{"metadata":{"creationTimestamp":"2001-01-01T00:00:00Z"}}`,
		`{"metadata":{"creationTimestamp":null}}`,
		`{"metadata":{"deletionTimestamp":"2001-01-01T00:00:00Z"}}`,
		`{"metadata":{"deletionTimestamp":null}}`,
		`{"metadata":{"deletionGracePeriodSeconds":7}}`,
		`{"metadata":{"finalizers":[]}}`,
		`{"metadata":{"finalizers":["not qualified!"]}}`,
		`{"metadata":{"labels":{"not qualified!":"1"}}}`,
		`{"metadata":{"labels":{"x":"not a value!"}}}`,
		`{"metadata":{"annotations":{"not qualified!":"1"}}}`,
		`{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"o","uid":""}]}}`,
		`{"status":{}}`,
	}
	// These are no edits of a typed object.
	notObjects = []string{`{"metadata":{"name":"z"}}`, `{}`, `[]`, `7`, `no JSON`, `{"metadata":{"labels":7}}`}

	operations = []string{
		`[{"op":"add","path":"/metadata/labels","value":{"x":"1"}}]`,
		`[{"op":"replace","path":"/metadata/labels/x","value":"2"}]`,
		`[{"op":"remove","path":"/metadata/finalizers/0"}]`,
		`[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/g"}]`,
		`[{"op":"test","path":"/metadata/labels/x","value":"1"},{"op":"add","path":"/metadata/annotations","value":{"note":"tested"}}]`,
		`[{"op":"add","path":"/spec/volumeSnapshotClassName","value":"fast"}]`,
		`[{"op":"add","path":"/status","value":{"readyToUse":true}}]`,
		`[{"op":"remove","path":"/status"}]`,
		`[{"op":"bogus","path":"/status"}]`,
		`[]`, `{}`, `no JSON`,
	}

	labelSelectors = rapid.SampledFrom([]string{"", "", "x=1", "x!=1", "x in (1,2)", "!x", "x in"})
	fieldSelectors = rapid.SampledFrom([]string{"", "", "", "metadata.name=a", "metadata.namespace=x", "metadata.name!=b", "spec.other=1", "=="})
	// Selections that the ends belong to.
	watchedLabels = rapid.SampledFrom([]string{"", "x=1", "x in (1,2)"})
	watchedFields = rapid.SampledFrom([]string{"", "", "metadata.name=a", "metadata.name!=b"})
	propagations  = rapid.SampledFrom([]metav1.DeletionPropagation{"", "", "", metav1.DeletePropagationBackground,
		metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan, "Bogus"})
	matches   = rapid.SampledFrom([]metav1.ResourceVersionMatch{"", "", "", metav1.ResourceVersionMatchExact, "Bogus"})
	continues = rapid.SampledFrom([]string{"", "", "", "", "", "bogus"})
)

// edits draws what is changed in an object: nothing odd, mostly.
func edits(t *rapid.T) []string {
	merged := rapid.SliceOfN(rapid.SampledFrom(usual), 0, 3).Draw(t, "edits")
	if seldom.Draw(t, "odd") {
		merged = append(merged, rapid.SampledFrom(odd).Draw(t, "edit"))
	}
	return merged
}

var generators = []*rapid.Generator[step]{
	rapid.Custom(func(t *rapid.T) step {
		c := create{At: anyPlace.Draw(t, "at"), Again: seldom.Draw(t, "again"), Edits: edits(t)}
		c.At.Name = rapid.SampledFrom([]string{c.At.Name, c.At.Name, c.At.Name, "", "Not_A_Name"}).Draw(t, "name")
		return c
	}),
	rapid.Custom(func(t *rapid.T) step { return get{anyPlace.Draw(t, "at")} }),
	rapid.Custom(func(t *rapid.T) step {
		return update{At: anyPlace.Draw(t, "at"), Ago: ago.Draw(t, "ago"), Edits: edits(t), Status: rapid.Bool().Draw(t, "status")}
	}),
	rapid.Custom(func(t *rapid.T) step {
		p := patch{At: anyPlace.Draw(t, "at"), How: types.MergePatchType, Revision: agoOrNone.Draw(t, "revision"), Status: rapid.Bool().Draw(t, "status")}
		bodies := usual
		switch rapid.IntRange(0, 5).Draw(t, "how") {
		case 2:
			bodies = odd
		case 3:
			bodies = notObjects
		case 4:
			p.How, bodies = types.JSONPatchType, operations
		case 5:
			p.How = types.StrategicMergePatchType
		}
		p.Body = rapid.SampledFrom(bodies).Draw(t, "body")
		return p
	}),
	rapid.Custom(func(t *rapid.T) step {
		return remove{anyPlace.Draw(t, "at"), required.Draw(t, "uid"), required.Draw(t, "revision"), propagations.Draw(t, "propagation")}
	}),
	rapid.Custom(func(t *rapid.T) step {
		r := removeAll{area.Draw(t, "at"), labelSelectors.Draw(t, "labels"), fieldSelectors.Draw(t, "fields"), propagations.Draw(t, "propagation")}
		if r.At == (place{Resource: snapshots}) {
			r.At.Namespace = "x"
		}
		return r
	}),
	rapid.Custom(func(t *rapid.T) step {
		return list{area.Draw(t, "at"), labelSelectors.Draw(t, "labels"), fieldSelectors.Draw(t, "fields"), rapid.Int64Range(0, 2).Draw(t, "limit"),
			matches.Draw(t, "match"), anyPlace.Draw(t, "from"), ago.Draw(t, "ago"), continues.Draw(t, "continue"), rapid.SampledFrom([]string{"", "", "", "", "", "x"}).Draw(t, "revision")}
	}),
	rapid.Custom(func(t *rapid.T) step {
		w := startWatch{At: area.Draw(t, "at"), Label: watchedLabels.Draw(t, "labels"), Field: watchedFields.Draw(t, "fields")}
		switch rapid.IntRange(0, 5).Draw(t, "from") {
		case 1, 2, 3:
			w.From, w.Ago = anyPlace.Draw(t, "from"), rapid.IntRange(0, 3).Draw(t, "ago")
		case 4:
			w.Initial = true
		case 5:
			w.Revision = "x"
		}
		return w
	}),
}

// script draws what both sides run. All writes are as likely as all reads.
var script = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
	which := rapid.SampledFrom([]int{0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7}).Draw(t, "step")
	return generators[which].Draw(t, "call")
}), 1, 30)
