//go:build race

package fakes

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A race of the program must be reported although API calls lie between its
// two accesses, unless the second side has read what the first wrote. The
// races are made in child processes, which fail.
func TestCallsDoNotHideRaces(t *testing.T) {
	check := func(child string, wantRace bool) {
		t.Helper()
		run := exec.Command(os.Args[0], "-test.run=^"+child+"$")
		run.Env = append(os.Environ(), "SNAPSTORM_TEST_CHILD=1")
		output, err := run.CombinedOutput()
		if wantRace {
			require.Error(t, err)
			require.Contains(t, string(output), "WARNING: DATA RACE")
			require.Contains(t, string(output), "transparent_race_test.go")
		} else {
			require.NoError(t, err, "%s", output)
		}
	}
	check("TestChildRacesBesideCalls", true)
	check("TestChildIsOrderedByAnObject", false)
	check("TestChildRacesBesideWidgets", true)
}

// inChild says whether this process was started by TestCallsDoNotHideRaces. The tests that race do nothing elsewhere.
func inChild() bool { return os.Getenv("SNAPSTORM_TEST_CHILD") != "" }

// beside lets one goroutine write x and then create a pod, and another, after
// it has seen the pod through look, write x too.
func beside(c *Cluster, look func() bool) {
	x, done := 0, make(chan int)
	go func() {
		x++
		_, _ = c.Clients().Kubernetes.CoreV1().Pods("default").Create(ctx, pod("a"), metav1.CreateOptions{})
		done <- 1
	}()
	go func() {
		for !look() {
		}
		x++
		done <- 1
	}()
	<-done
	<-done
}

func TestChildRacesBesideCalls(t *testing.T) {
	if !inChild() {
		return
	}
	c := NewCluster(Options{})
	require.NoError(t, c.Add(pod("another")))
	other := c.Clients().Kubernetes.CoreV1().Pods("default")
	beside(c, func() bool {
		_, _ = other.Get(ctx, "another", metav1.GetOptions{})
		return c.Revision() > 1
	})
}

func TestChildIsOrderedByAnObject(t *testing.T) {
	if !inChild() {
		return
	}
	c := NewCluster(Options{})
	api := c.Clients().Kubernetes.CoreV1().Pods("default")
	beside(c, func() bool {
		_, err := api.Get(ctx, "a", metav1.GetOptions{})
		return err == nil
	})
}

// What reflection does for a user's type orders nobody.
func TestChildRacesBesideWidgets(t *testing.T) {
	if !inChild() {
		return
	}
	c, api := withWidgets(Faults{})
	require.NoError(t, c.Add(widget("a"), widget("b")))
	use := func(name string) {
		w, _ := api.Get(ctx, name, metav1.GetOptions{})
		w.Spec.Size++
		w, _ = api.Update(ctx, w, metav1.UpdateOptions{})
		w.Status.Ready = !w.Status.Ready
		_, _ = api.UpdateStatus(ctx, w, metav1.UpdateOptions{})
	}
	x, done := 0, make(chan int)
	go func() {
		x++
		use("a")
		done <- 1
	}()
	go func() {
		for c.Revision() < 4 {
		}
		use("b")
		x++
		done <- 1
	}()
	<-done
	<-done
}
