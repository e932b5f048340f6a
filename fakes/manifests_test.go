package fakes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

const goodYAML = `# a dump
apiVersion: v1
kind: Pod
metadata:
  name: a
  managedFields:
  - manager: kubectl
    operation: Update
    time: "2000-01-01T00:00:00Z"
spec:
  newerThanThisClient: {x: 1}
---
# nothing but a comment
---
apiVersion: v1
kind: List
items:
- apiVersion: snapshot.storage.k8s.io/v1
  kind: VolumeSnapshot
  metadata: {name: s, namespace: other}
  spec: {source: {persistentVolumeClaimName: a}}
  status: {readyToUse: true, restoreSize: 10Gi, creationTime: "2000-01-01T00:00:00Z"}
- apiVersion: v1
  kind: Secret
  metadata: {name: hidden}
  data: {password: aHVudGVyMg==}
- apiVersion: v1
  kind: PodList
  items:
  - apiVersion: v1
    kind: Pod
    metadata: {name: b}
--- # one more
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
`

func readText(t *testing.T, name, text string) (*Manifests, error) {
	t.Helper()
	return ReadManifests(written(t, name, text))
}

func written(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestReadManifests(t *testing.T) {
	check := func(name, text string) {
		t.Helper()
		m, err := readText(t, name, text)
		require.NoError(t, err)
		require.Len(t, m.Objects, 3)
		require.Nil(t, m.Objects[0].(*corev1.Pod).ManagedFields)
		require.Equal(t, "default", m.Objects[0].(*corev1.Pod).Namespace)
		require.Equal(t, "other", m.Objects[1].(*snapshotv1.VolumeSnapshot).Namespace)
		require.True(t, *m.Objects[1].(*snapshotv1.VolumeSnapshot).Status.ReadyToUse)
		require.Equal(t, "b", m.Objects[2].(*corev1.Pod).Name)
		require.Equal(t, map[string]int{"v1/Secret": 1, "apps/v1/Deployment": 1}, m.Skipped)
		require.NoError(t, NewCluster(Options{}).Add(m.Objects...))
	}
	check("plain.yaml", goodYAML)
	check("windows.yaml", strings.ReplaceAll(goodYAML, "\n", "\r\n"))
	check("mark.yaml", "\ufeff---\n"+goodYAML)
	check("tail.yaml", goodYAML+"---\n...\n---\n")
}

func TestReadManifestsJSON(t *testing.T) {
	m, err := readText(t, "two.json", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}
{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"ConfigMap"}]}`)
	require.NoError(t, err)
	require.Len(t, m.Objects, 1)
	require.Equal(t, map[string]int{"v1/ConfigMap": 1}, m.Skipped)
	m, err = readText(t, "empty.yaml", "# nothing\n")
	require.NoError(t, err)
	require.Empty(t, m.Objects)
}

func TestReadManifestsErrors(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n"
	const snap = "apiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshot\nmetadata:\n  name: s\nspec:\n  source: {}\n"
	table := []struct{ file, text, want string }{
		{"a.yaml", pod + "---\n" + snap + "status:\n  readyToUse: yes please\n",
			`a.yaml: document 2, line 13: status.readyToUse: want a boolean, found "yes please"`},
		{"a.yaml", snap + "status:\n  restoreSize: lots\n",
			`a.yaml: document 1, line 8: status.restoreSize: want a quantity such as 10Gi, found "lots"`},
		{"a.yaml", pod + "  creationTimestamp: yesterday\n",
			`a.yaml: document 1, line 5: metadata.creationTimestamp: want a time such as 2000-01-01T00:00:00Z, found "yesterday"`},
		{"a.yaml", pod + "  generation: 1.5\n",
			`a.yaml: document 1, line 5: metadata.generation: want a whole number, found 1.5`},
		{"a.yaml", pod + "  labels: [x]\n",
			`a.yaml: document 1, line 5: metadata.labels: want an object, found a list`},
		{"a.yaml", pod + "  labels: {x: 1}\n",
			`a.yaml: document 1, line 5: metadata.labels.x: want a string, found 1`},
		{"a.yaml", pod + "spec:\n  containers: {}\n",
			`a.yaml: document 1, line 6: spec.containers: want a list, found an object`},
		{"a.yaml", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: [a]\n",
			`a.yaml: document 1, line 7: items[0].metadata.name: want a string, found a list`},
		{"a.yaml", "kind: Pod\n", `a.yaml: document 1, line 1: apiVersion: is missing: write, for example, "apiVersion: v1"`},
		{"a.yaml", "apiVersion: v1\n", `a.yaml: document 1, line 1: kind: is missing: write, for example, "kind: Pod"`},
		{"a.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  labels: {}\n",
			`a.yaml: document 1, line 4: metadata.name: is missing: give the object a name`},
		{"a.yaml", "- 1\n- 2\n", `a.yaml: document 1, line 1: want an object with apiVersion and kind`},
		{"a.yaml", pod + "---\n" + pod,
			`a.yaml: document 2, line 6: Pod default/a is there twice, first in a.yaml, line 1: leave one out`},
		{"a.yaml", pod + "  name: b\n",
			`a.yaml: document 1, line 5: is not valid YAML, or cut off: key "name" already set in map`},
		{"a.yaml", pod + "  labels: {x: \"y\n",
			`a.yaml: document 1, line 6: is not valid YAML, or cut off: found unexpected end of stream`},
		{"a.yaml", pod + "\tspec: {}\n",
			`a.yaml: document 1, line 5: is not valid YAML, or cut off: found a tab character that violates indentation`},
		{"a.json", "{\n \"apiVersion\": \"v1\",\n \"kind\": \"Pod\",\n",
			`a.json: document 1, line 3: is not valid JSON, or cut off: unexpected EOF`},
		{"a.json", "{\n \"apiVersion\": \"v1\"\n \"kind\": \"Pod\"}",
			`a.json: document 1, line 3: is not valid JSON, or cut off: invalid character '"' after object key:value pair`},
		{"a.json", "{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"Pod\",\n\t\"metadata\": {\"name\": 7}}",
			`a.json: document 1, line 4: metadata.name: want a string, found 7`},
		{"a.yaml", "apiVersion: v1\nkind: Secret\nstringData:\n  password: \"hunter2\n  x: \\q\n",
			`a.yaml: document 1, line 5: is not valid YAML, or cut off`},
	}
	for _, row := range table {
		_, err := readText(t, row.file, row.text)
		require.Error(t, err)
		var e *ManifestError
		require.ErrorAs(t, err, &e)
		got := strings.ReplaceAll(e.Error(), filepath.Dir(e.File)+"/", "")
		require.Equal(t, row.want, got)
		require.NotContains(t, got, "\n")
	}
}

func TestReadManifestsOfADirectory(t *testing.T) {
	dir := t.TempDir()
	_, err := ReadManifests(dir)
	require.ErrorContains(t, err, "has no file that ends in .yaml")
	_, err = ReadManifests(filepath.Join(dir, "missing.yaml"))
	require.ErrorContains(t, err, "missing.yaml: cannot be read: no such file or directory")
	for _, name := range []string{"b.yaml", "a.json", "c.txt"} {
		text := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "` + name + `"}}`
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	m, err := ReadManifests(dir)
	require.NoError(t, err)
	require.Len(t, m.Objects, 2)
	require.Equal(t, "a.json", m.Objects[0].(*corev1.Pod).Name)
}

func FuzzReadManifests(f *testing.F) {
	f.Add([]byte(goodYAML))
	f.Add([]byte("\ufeff--- \r\n{}\r\n---\r\n[1]"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("apiVersion: v1\nkind: Pod\nmetadata: {<<: {name: a}, creationTimestamp: [1]}\n"))
	f.Add([]byte(`{"apiVersion":"v1","kind":"PodList","items":[{"apiVersion":"v1","kind":"Pod","spec":7}]}{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newReader(Options{}.kinds())
		err := r.read("fuzz", data)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("the error has more than one line: %q", err)
		}
		for _, o := range r.manifests.Objects {
			if o.(object).GetName() == "" {
				t.Errorf("an object without a name was read")
			}
		}
	})
}
