package fakes

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// step is one step into a document: a field, or an element of a list.
type step struct {
	name   string
	number int // of the element, if name is empty
}

// path is the way to a value in a document.
type path []step

func (p path) field(name string) path { return append(slices.Clip(p), step{name: name}) }
func (p path) index(n int) path       { return append(slices.Clip(p), step{number: n}) }

// String is the path as kubectl writes it, for example "items[3].status".
func (p path) String() string {
	var b strings.Builder
	for n, s := range p {
		switch {
		case s.name == "":
			fmt.Fprintf(&b, "[%d]", s.number)
		case n > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// fault is an error at a place in the document.
func (d *document) fault(at path, problem string) *ManifestError {
	return &ManifestError{File: d.file, Document: d.number, Line: d.locate(at), Field: at.String(), Problem: problem}
}

// locate returns the line of a value, or of what is nearest to it if it is
// missing. JSON is read as YAML, which it is once its tabs are spaces.
func (d *document) locate(at path) int {
	if d.root == nil {
		d.root = new(yamlv3.Node)
		text := bytes.ReplaceAll(d.text, []byte("\t"), []byte(" "))
		if yamlv3.Unmarshal(text, d.root) != nil {
			d.root = new(yamlv3.Node)
		}
	}
	if len(d.root.Content) == 0 {
		return d.line
	}
	node := d.root.Content[0]
	for _, s := range at {
		next := child(node, s)
		if next == nil {
			break
		}
		node = next
	}
	return d.line + node.Line - 1
}

// child follows one step; nil if there is no such value.
func child(node *yamlv3.Node, s step) *yamlv3.Node {
	if node.Kind == yamlv3.AliasNode {
		node = node.Alias
	}
	switch {
	case node.Kind == yamlv3.SequenceNode && s.name == "" && s.number < len(node.Content):
		return node.Content[s.number]
	case node.Kind == yamlv3.MappingNode:
		for n := 0; n+1 < len(node.Content); n += 2 {
			if node.Content[n].Value == s.name {
				return node.Content[n+1]
			}
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
