package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// trace is what a script saw on one side, line by line, without what may
// differ between two servers.
type trace struct {
	lines []string
	uids  map[string]int // numbered as they appear
}

// logf adds a line.
func (t *trace) logf(format string, args ...any) {
	t.lines = append(t.lines, fmt.Sprintf(format, args...))
}

// answer is what a call returned: its error, or else the object.
func (t *trace) answer(o runtime.Object, err error) string {
	if err != nil {
		return problem(err)
	}
	if o == nil {
		return "ok"
	}
	return t.show(o)
}

// problem is an error by reason and code; without those it is one of the
// client's own.
func problem(err error) string {
	status, ok := err.(apierrors.APIStatus)
	if !ok {
		return "error of the client"
	}
	return fmt.Sprintf("%s (%d)", status.Status().Reason, status.Status().Code)
}

// show writes an object, or a list with its items.
func (t *trace) show(o runtime.Object) string {
	data, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		panic(err)
	}
	t.normalise(fields)
	items, _ := fields["items"].([]any)
	for _, item := range items {
		t.normalise(item.(map[string]any))
	}
	data, err = json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(data)
}

var generated = regexp.MustCompile(`^(g[0-9]+-)[a-z0-9]{5}$`)

// normalise replaces what each server makes up by itself.
func (t *trace) normalise(fields map[string]any) {
	meta, ok := fields["metadata"].(map[string]any)
	if !ok {
		return
	}
	delete(meta, "managedFields")
	for _, name := range []string{"creationTimestamp", "deletionTimestamp", "continue"} {
		if meta[name] != nil && meta[name] != "" {
			meta[name] = "set"
		}
	}
	if name, ok := meta["name"].(string); ok {
		meta["name"] = generated.ReplaceAllString(name, "$1*")
	}
	if uid, ok := meta["uid"].(string); ok {
		meta["uid"] = t.number(uid)
	}
	if revision, ok := meta["resourceVersion"].(string); ok {
		meta["resourceVersion"] = "@" + revision + "@"
	}
}

func (t *trace) number(uid string) int {
	if t.uids == nil {
		t.uids = map[string]int{}
	}
	if t.uids[uid] == 0 {
		t.uids[uid] = len(t.uids) + 1
	}
	return t.uids[uid]
}

var revisions = regexp.MustCompile(`@([0-9]+)@`)

// itemsOf returns the objects of a list.
func itemsOf(list runtime.Object) []object {
	var items []object
	err := meta.EachListItem(list, func(o runtime.Object) error {
		items = append(items, o.(object))
		return nil
	})
	if err != nil {
		panic(err)
	}
	return items
}

// finished returns the lines with each revision replaced by its rank among
// all those of the trace. Equal ones stay equal, and later ones greater.
func (t *trace) finished() []string {
	var all []int
	for _, line := range t.lines {
		for _, found := range revisions.FindAllStringSubmatch(line, -1) {
			n, _ := strconv.Atoi(found[1])
			all = append(all, n)
		}
	}
	slices.SortFunc(all, cmp.Compare[int])
	all = slices.Compact(all)
	var lines []string
	for _, line := range t.lines {
		lines = append(lines, revisions.ReplaceAllStringFunc(line, func(found string) string {
			n, _ := strconv.Atoi(found[1 : len(found)-1])
			rank, _ := slices.BinarySearch(all, n)
			return strconv.Itoa(rank + 1)
		}))
	}
	return lines
}

// difference returns the first line that differs, or nothing.
func difference(cluster, server []string) string {
	for i := range max(len(cluster), len(server)) {
		c, s := lineAt(cluster, i), lineAt(server, i)
		if c != s {
			return fmt.Sprintf("line %d\n  cluster: %s\n  server:  %s", i+1, c, s)
		}
	}
	return ""
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}
