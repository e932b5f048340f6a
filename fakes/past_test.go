package fakes

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

// Whatever was written, undoing the last changes gives the states that were
// there before them.
func TestPastIsWhatWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCluster(Options{})
		api := c.Clients().Kubernetes.CoreV1().Pods("default")
		table := c.tables[pods]
		states := [][]*record{table.all()}
		for range rapid.IntRange(0, 30).Draw(t, "writes") {
			p := pod(rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "name"))
			p.Labels = map[string]string{"n": fmt.Sprint(len(states))}
			before := table.end()
			switch rapid.IntRange(0, 2).Draw(t, "verb") {
			case 0:
				_, _ = api.Create(ctx, p, metav1.CreateOptions{})
			case 1:
				_, _ = api.Update(ctx, p, metav1.UpdateOptions{})
			case 2:
				_ = api.Delete(ctx, p.Name, metav1.DeleteOptions{})
			}
			if table.end() > before {
				states = append(states, table.all())
			}
		}
		for undone := range states {
			got := past(table.all(), table.changes[table.end()-undone:])
			want := states[len(states)-1-undone]
			require.True(t, slices.Equal(got, want), "%d changes ago: got %v, want %v", undone, got, want)
		}
	})
}
