package conformance

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	snapshotclient "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"pgregory.net/rapid"

	"github.com/snapstorm/snapstorm/fakes"
)

var ctx = context.Background()

var summaryFile = flag.String("json", "", "write the number of scripts and differences to this `file`")

func TestMain(m *testing.M) {
	klog.SetLogger(klog.Logger{})                                                                  // of the server, which tells of every refusal
	for name, value := range map[string]string{"rapid.checks": "50", "rapid.nofailfile": "true"} { // what the command line may change
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// TestCluster runs the same scripts on the cluster and on the real server.
func TestCluster(t *testing.T) {
	server := startServer(t)
	scripts, differences := 0, 0
	defer func() { writeSummary(t, scripts, differences) }()
	rapid.Check(t, func(rt *rapid.T) {
		steps := script.Draw(rt, "script")
		if differences == 0 { // else the script is being shrunk
			scripts++
		}
		cluster := run(fakes.NewCluster(fakes.Options{}).Clients().Snapshots, steps)
		if d := difference(cluster, run(server, steps)); d != "" {
			differences = 1
			rt.Fatalf("%s\nafter:\n%s", d, written(steps))
		}
	})
}

// run returns what a script sees on one side, which is empty before and after.
func run(client snapshotclient.Interface, steps []step) []string {
	s := &side{client: client, seen: map[place][]object{}}
	startWatch{At: place{Resource: snapshots}}.do(s)
	startWatch{At: place{Resource: contents}}.do(s)
	for _, step := range steps {
		step.do(s)
	}
	s.empty()
	for _, p := range ends {
		create{At: p, Edits: []string{endEdit}}.do(s)
	}
	s.drain()
	s.empty()
	return s.finished()
}

// empty takes away all that is left.
func (s *side) empty() {
	for _, resource := range []string{snapshots, contents} {
		found, err := at(s.client, place{Resource: resource}).List(ctx, metav1.ListOptions{})
		s.logf("left of %s: %s", resource, s.answer(found, err))
		for _, o := range itemsOf(found) {
			p := place{resource, o.GetNamespace(), o.GetName()}
			_, err := at(s.client, p).Patch(ctx, p.Name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
			s.logf("free: %s", s.answer(nil, err))
			s.logf("clean: %s", s.answer(nil, at(s.client, p).Delete(ctx, p.Name, metav1.DeleteOptions{})))
		}
	}
}

// written is a script to read.
func written(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "  %T%+v\n", s, s)
	}
	return b.String()
}

// writeSummary tells make conformance what was done.
func writeSummary(t *testing.T, scripts, differences int) {
	if *summaryFile == "" {
		return
	}
	data, err := json.Marshal(struct {
		Pair        string `json:"pair"`
		Scripts     int    `json:"scripts"`
		Differences int    `json:"differences"`
	}{"cluster/apiserver", scripts, differences})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(*summaryFile, append(data, '\n'), 0o644))
}
