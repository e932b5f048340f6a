package fakes

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// Manifests are the objects that were read from files.
type Manifests struct {
	// Objects in the order in which they were read, with their namespace
	// filled in and their managedFields dropped.
	Objects []runtime.Object

	// Skipped counts the objects of kinds that are not served, by
	// "apiVersion/kind". Nothing else is kept of them.
	Skipped map[string]int
}

// A ManifestError tells where a manifest is wrong, and how.
type ManifestError struct {
	File     string
	Document int    // counted from 1, empty ones left out; 0 is the whole file
	Line     int    // in the file, counted from 1; 0 is unknown
	Field    string // for example "status.readyToUse", or empty
	Problem  string // what is wrong and what would be right
}

// Error is one line.
func (e *ManifestError) Error() string {
	var at strings.Builder
	at.WriteString(e.File)
	if e.Document > 0 {
		fmt.Fprintf(&at, ": document %d", e.Document)
	}
	if e.Line > 0 {
		fmt.Fprintf(&at, ", line %d", e.Line)
	}
	if e.Field != "" {
		at.WriteString(": " + e.Field)
	}
	return at.String() + ": " + e.Problem
}

// ReadManifests reads Kubernetes objects from files of YAML or JSON, with one
// document or several, lists among them; of a directory, all files that end in
// .yaml, .yml or .json, by name. Objects of kinds that are not served are
// counted and skipped; the contents of Secrets are neither kept nor quoted.
// Errors are of type *ManifestError.
//
// What is served are pods, claims, snapshots and contents. The Options know
// more types; see their ReadManifests.
func ReadManifests(paths ...string) (*Manifests, error) { return Options{}.ReadManifests(paths...) }

// ReadManifests reads the objects that a cluster with these options serves;
// see the function of this name.
func (o Options) ReadManifests(paths ...string) (*Manifests, error) {
	r := newReader(o.kinds())
	for _, path := range paths {
		files, err := filesAt(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, unreadable(file, err)
			}
			if err := r.read(file, data); err != nil {
				return nil, err
			}
		}
	}
	return r.manifests, nil
}

func filesAt(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if info, statErr := os.Stat(path); statErr == nil && !info.IsDir() {
		return []string{path}, nil
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	var files []string
	for _, e := range entries {
		if slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(e.Name())) && !e.IsDir() {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, &ManifestError{File: path, Problem: "has no file that ends in .yaml, .yml or .json"}
	}
	return files, nil
}

func unreadable(file string, err error) error {
	if cause, ok := err.(*os.PathError); ok {
		err = cause.Err // the path is named already
	}
	return &ManifestError{File: file, Problem: "cannot be read: " + err.Error()}
}

// reader collects what it reads.
type reader struct {
	kinds     []*kind
	manifests *Manifests
	decoder   runtime.Decoder
	seen      map[string]place // of each object
}

// place is where an object is. Its line is looked up only when it is printed.
type place struct {
	document *document
	at       path
}

func (p place) String() string {
	return fmt.Sprintf("%s, line %d", p.document.file, p.document.locate(p.at))
}

func newReader(kinds []*kind) *reader {
	scheme := runtime.NewScheme()
	for _, k := range kinds {
		scheme.AddKnownTypeWithName(k.kind, k.fresh())
	}
	return &reader{
		kinds:     kinds,
		manifests: &Manifests{Skipped: map[string]int{}},
		decoder:   serializer.NewCodecFactory(scheme).UniversalDeserializer(),
		seen:      map[string]place{},
	}
}

func (r *reader) read(file string, data []byte) error {
	documents, err := split(file, data)
	if err != nil {
		return err
	}
	for _, d := range documents {
		if err := r.readObject(d, nil, d.json); err != nil {
			return err
		}
	}
	return nil
}

// readObject reads one object, or each object of a list; at is where it is in
// the document.
func (r *reader) readObject(d *document, at path, data json.RawMessage) error {
	var head header
	if err := json.Unmarshal(data, &head); err != nil {
		return d.fault(at, "want an object with apiVersion and kind")
	}
	apiVersion, kindName, err := head.identify(d, at)
	if err != nil {
		return err
	}
	if isList(kindName, head.Items) {
		return r.readItems(d, at, head.Items)
	}
	k := r.served(apiVersion, kindName)
	if k == nil {
		r.manifests.Skipped[apiVersion+"/"+kindName]++
		return nil
	}
	return r.keep(d, at, k, data)
}

func (r *reader) readItems(d *document, at path, items json.RawMessage) error {
	var list []json.RawMessage
	if err := json.Unmarshal(items, &list); err != nil {
		return d.fault(at.field("items"), "want a list of objects")
	}
	for n, item := range list {
		if err := r.readObject(d, at.field("items").index(n), item); err != nil {
			return err
		}
	}
	return nil
}

// keep decodes and stores an object of a served kind.
func (r *reader) keep(d *document, at path, k *kind, data json.RawMessage) error {
	if wrong := check(at, k, data); wrong != nil {
		return d.fault(wrong.at, wrong.problem)
	}
	decoded, _, err := r.decoder.Decode(data, nil, nil)
	if err != nil {
		return d.fault(at, "does not decode: "+oneLine(err))
	}
	o := decoded.(object)
	if o.GetName() == "" {
		return d.fault(at.field("metadata").field("name"), "is missing: give the object a name")
	}
	o.SetManagedFields(nil)
	if k.namespaced && o.GetNamespace() == "" {
		o.SetNamespace(metav1.NamespaceDefault)
	}
	id := k.kind.Kind + " " + k.key(o.GetNamespace(), o.GetName())
	if first, twice := r.seen[id]; twice {
		return d.fault(at, fmt.Sprintf("%s is there twice, first in %s: leave one out", id, first))
	}
	r.seen[id] = place{d, at}
	r.manifests.Objects = append(r.manifests.Objects, o)
	return nil
}

// served returns the kind of that name, or nil. Secrets are never kept, though
// the cluster may serve them.
func (r *reader) served(apiVersion, name string) *kind {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || gv.WithKind(name) == corev1.SchemeGroupVersion.WithKind("Secret") {
		return nil
	}
	for _, k := range r.kinds {
		if k.kind == gv.WithKind(name) {
			return k
		}
	}
	return nil
}

// header is what every object has.
type header struct {
	APIVersion any             `json:"apiVersion"`
	Kind       any             `json:"kind"`
	Items      json.RawMessage `json:"items"`
}

func (h header) identify(d *document, at path) (apiVersion, kind string, err error) {
	apiVersion, _ = h.APIVersion.(string)
	kind, _ = h.Kind.(string)
	switch {
	case apiVersion == "":
		return "", "", d.fault(at.field("apiVersion"), `is missing: write, for example, "apiVersion: v1"`)
	case kind == "":
		return "", "", d.fault(at.field("kind"), `is missing: write, for example, "kind: Pod"`)
	}
	return apiVersion, kind, nil
}

func isList(kind string, items json.RawMessage) bool {
	return kind == "List" || strings.HasSuffix(kind, "List") && items != nil
}
