package fakes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

// document is one document of a file.
type document struct {
	file   string
	number int
	line   int    // where it begins in the file, counted from 1
	text   []byte // as it was written
	json   json.RawMessage
	root   *yamlv3.Node // parsed when a line is asked for
}

var (
	byteOrderMark = []byte("\ufeff")
	yamlLine      = regexp.MustCompile(`line (\d+): `)
	secretKind    = regexp.MustCompile(`(?i)["']?kind["']?\s*:\s*["']?Secret`)
)

// split cuts a file into documents and reads each as JSON or YAML.
func split(file string, data []byte) ([]*document, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	var documents []*document
	for _, part := range cut(data) {
		part.file, part.number = file, len(documents)+1
		found, err := part.parse()
		if err != nil {
			return nil, err
		}
		documents = append(documents, found...)
	}
	return documents, nil
}

// cut separates a file at the lines that begin with three dashes; three dots
// end a document, and say nothing more.
func cut(data []byte) []*document {
	var parts []*document
	current := &document{line: 1}
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if isMark(text, "---") {
			parts = append(parts, current)
			current = &document{line: line}
		}
		if isMark(text, "---") || isMark(text, "...") {
			text = append([]byte("   "), text[3:]...)
		}
		current.text = append(current.text, text...)
	}
	return append(parts, current)
}

func isMark(line []byte, mark string) bool {
	return strings.HasPrefix(string(line), mark) && (len(line) == len(mark) || strings.IndexByte(" \t\n", line[len(mark)]) >= 0)
}

// parse returns the documents in a part: none if there are only comments,
// several if JSON values follow each other.
func (d *document) parse() ([]*document, error) {
	if first := bytes.TrimSpace(d.text); len(first) > 0 && (first[0] == '{' || first[0] == '[') {
		return d.parseJSON()
	}
	converted, err := yaml.YAMLToJSONStrict(d.text)
	if err != nil {
		return nil, d.broken("YAML", d.yamlErrorLine(err), err)
	}
	if string(converted) == "null" {
		return nil, nil
	}
	d.json = converted
	return []*document{d}, nil
}

func (d *document) parseJSON() ([]*document, error) {
	decoder := json.NewDecoder(bytes.NewReader(d.text))
	var found []*document
	for {
		var value json.RawMessage
		begin := decoder.InputOffset()
		err := decoder.Decode(&value)
		if err == io.EOF {
			return found, nil
		}
		next := &document{file: d.file, number: d.number + len(found), line: d.line + lines(d.text[:begin])}
		if err != nil {
			next.text = d.text[begin:]
			return nil, next.broken("JSON", d.jsonErrorLine(err), err)
		}
		next.text, next.json = d.text[begin:decoder.InputOffset()], value
		found = append(found, next)
	}
}

func lines(text []byte) int { return bytes.Count(text, []byte("\n")) }

func (d *document) lastLine() int { return d.line + lines(bytes.TrimRight(d.text, "\n")) }

func (d *document) jsonErrorLine(err error) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && err.Error() != "unexpected end of JSON input" {
		return d.line + lines(d.text[:min(int(syntax.Offset), len(d.text))])
	}
	return d.lastLine()
}

func (d *document) yamlErrorLine(err error) int {
	if found := yamlLine.FindStringSubmatch(err.Error()); found != nil {
		n, _ := strconv.Atoi(found[1])
		return d.line + n - 1
	}
	return d.line
}

// broken is the error for text that is no YAML or JSON. What the parser says
// may quote the text, so not a word of it is passed on if a Secret is near.
func (d *document) broken(format string, line int, err error) error {
	why := "is not valid " + format + ", or cut off"
	if !secretKind.Match(d.text) {
		why = fmt.Sprintf("%s: %s", why, oneLine(err))
	}
	return &ManifestError{File: d.file, Document: d.number, Line: line, Problem: why}
}

// oneLine is the last line of an error, without the places that its text
// names, for these count from the beginning of the document.
func oneLine(err error) string {
	all := strings.Split(strings.TrimSpace(err.Error()), "\n")
	last := strings.TrimSpace(all[len(all)-1])
	last = yamlLine.ReplaceAllString(last, "")
	for _, prefix := range []string{"error converting YAML to JSON: ", "yaml: ", "json: "} {
		last = strings.TrimPrefix(last, prefix)
	}
	return last
}
