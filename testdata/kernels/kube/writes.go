package kube

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/snapstorm/snapstorm/fakes"
)

var writes = []Kernel{
	{Name: "conflict-ignored", Class: "writes", Want: "property", Bug: conflictIgnored, Fixed: conflictIgnoredFixed, Holds: countedTwice},
	{Name: "crash-between-writes", Class: "writes", Want: "property", Bug: crashBetweenWrites, Fixed: crashBetweenWritesFixed, Holds: retired, Crashes: 1, Schedules: 500, Why: "the crash must come between two calls of four"},
	{Name: "finalizers-from-stale-copy", Class: "writes", Want: "property", Bug: staleFinalizers, Fixed: staleFinalizersFixed, Others: addFinalizers, Holds: finalizersKept},
	{Name: "status-over-spec", Class: "writes", Want: "property", Bug: statusOverSpec, Fixed: statusOverSpecFixed, Others: setDeadlines, Holds: deadlinesKept},
	{Name: "successor-deleted", Class: "writes", Want: "property", Bug: successorDeleted, Fixed: successorDeletedFixed, Others: succeedPods, Holds: allThere},
	{Name: "version-dropped", Class: "writes", Want: "property", Bug: versionDropped, Fixed: versionDroppedFixed, Others: labelPods, Holds: labelsKept},
}

// conflictIgnored counts in an annotation, and does not look whether the server took the new number.
func conflictIgnored(ctx context.Context, e Env) {
	countTwice(ctx, e, func(error) bool { return false })
}

func conflictIgnoredFixed(ctx context.Context, e Env) { countTwice(ctx, e, apierrors.IsConflict) }

func countTwice(ctx context.Context, e Env, again func(error) bool) {
	for range 2 {
		go func() {
			for again(e.change(ctx, "a", func(p *corev1.Pod) {
				n, _ := strconv.Atoi(p.Annotations["count"])
				p.Annotations = map[string]string{"count": strconv.Itoa(n + 1)}
			})) {
			}
		}()
	}
}

// change reads a pod, changes it and writes it.
func (e Env) change(ctx context.Context, pod string, f func(*corev1.Pod)) error {
	p, err := e.pods().Get(ctx, pod, metav1.GetOptions{})
	if err != nil {
		return err
	}
	f(p)
	_, err = e.pods().Update(ctx, p, metav1.UpdateOptions{})
	return err
}

func countedTwice(c *fakes.Cluster) error {
	if got := c.Pod(namespace, "a").Annotations["count"]; got != "2" {
		return fmt.Errorf("two have counted, and the count is %q", got)
	}
	return nil
}

// crashBetweenWrites destroys what it would find the unfinished work by before it has written down that it did it.
func crashBetweenWrites(ctx context.Context, e Env) {
	for _, pod := range []string{"a", "b"} {
		if _, err := e.snapshots().Get(ctx, pod, metav1.GetOptions{}); err == nil {
			e.snapshots().Delete(ctx, pod, metav1.DeleteOptions{})
			e.annotate(ctx, pod, "retired", "yes")
		}
	}
}

func crashBetweenWritesFixed(ctx context.Context, e Env) {
	for _, pod := range []string{"a", "b"} {
		if _, err := e.snapshots().Get(ctx, pod, metav1.GetOptions{}); err == nil {
			e.annotate(ctx, pod, "retired", "yes")
			e.snapshots().Delete(ctx, pod, metav1.DeleteOptions{})
		}
	}
}

func retired(c *fakes.Cluster) error {
	for _, pod := range []string{"a", "b"} {
		snapshot, noted := c.VolumeSnapshot(namespace, pod), c.Pod(namespace, pod).Annotations["retired"]
		if snapshot != nil || noted != "yes" {
			return fmt.Errorf("pod %s: snapshot there: %t, noted as retired: %q", pod, snapshot != nil, noted)
		}
	}
	return nil
}

// The finalizers of the program and of others.
const (
	backup = "example.com/backup"
	lock   = "example.com/lock"
)

// staleFinalizers takes its finalizer away by writing all the others, as it saw them.
func staleFinalizers(ctx context.Context, e Env) {
	releaseAll(ctx, e, func(*corev1.Pod, map[string]any) {})
}

func staleFinalizersFixed(ctx context.Context, e Env) {
	releaseAll(ctx, e, func(p *corev1.Pod, metadata map[string]any) { metadata["resourceVersion"] = p.ResourceVersion })
}

func releaseAll(ctx context.Context, e Env, condition func(*corev1.Pod, map[string]any)) {
	for _, pod := range []string{"a", "b", "c"} {
		e.addFinalizer(ctx, pod, backup)
		for apierrors.IsConflict(e.release(ctx, pod, condition)) {
		}
	}
}

func (e Env) release(ctx context.Context, pod string, condition func(*corev1.Pod, map[string]any)) error {
	p, err := e.pods().Get(ctx, pod, metav1.GetOptions{})
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(p.Finalizers, func(name string) bool { return name == backup })
	metadata := map[string]any{"finalizers": others}
	condition(p, metadata)
	return e.patch(ctx, pod, metadata)
}

func addFinalizers(ctx context.Context, e Env) {
	for _, pod := range []string{"a", "b", "c"} {
		e.addFinalizer(ctx, pod, lock)
	}
}

func (e Env) addFinalizer(ctx context.Context, pod, name string) {
	add := func(p *corev1.Pod) { p.Finalizers = append(p.Finalizers, name) }
	for apierrors.IsConflict(e.change(ctx, pod, add)) {
	}
}

func finalizersKept(c *fakes.Cluster) error {
	for _, p := range c.Pods() {
		if !slices.Contains(p.Finalizers, lock) {
			return fmt.Errorf("pod %s has lost the finalizer %s, which nobody took away", p.Name, lock)
		}
	}
	return nil
}

// statusOverSpec writes a status with all else that it read, over what others have written since.
func statusOverSpec(ctx context.Context, e Env) {
	report(ctx, e, func(p *corev1.Pod) error {
		_, err := e.pods().Update(ctx, p, metav1.UpdateOptions{})
		return err
	})
}

func statusOverSpecFixed(ctx context.Context, e Env) {
	report(ctx, e, func(p *corev1.Pod) error {
		_, err := e.pods().UpdateStatus(ctx, p, metav1.UpdateOptions{})
		return err
	})
}

func report(ctx context.Context, e Env, write func(*corev1.Pod) error) {
	for _, pod := range []string{"a", "b", "c"} {
		p, err := e.pods().Get(ctx, pod, metav1.GetOptions{})
		if err != nil {
			return
		}
		p.Status.Message = "backed up"
		p.ResourceVersion = "" // nobody else writes the status
		if err := write(p); err != nil {
			return
		}
	}
}

func setDeadlines(ctx context.Context, e Env) {
	for _, pod := range []string{"a", "b", "c"} {
		set := func(p *corev1.Pod) { p.Spec.ActiveDeadlineSeconds = new(int64(60)) }
		for apierrors.IsConflict(e.change(ctx, pod, set)) {
		}
	}
}

func deadlinesKept(c *fakes.Cluster) error {
	for _, p := range c.Pods() {
		if p.Spec.ActiveDeadlineSeconds == nil {
			return fmt.Errorf("pod %s has lost its deadline", p.Name)
		}
	}
	return nil
}

// successorDeleted deletes by name a pod that it has looked at, which may be another by then.
func successorDeleted(ctx context.Context, e Env) {
	deleteFirstLives(ctx, e, func(*corev1.Pod) *metav1.Preconditions { return nil })
}

func successorDeletedFixed(ctx context.Context, e Env) {
	deleteFirstLives(ctx, e, func(p *corev1.Pod) *metav1.Preconditions { return &metav1.Preconditions{UID: &p.UID} })
}

// deleteFirstLives deletes the pods that are there at its start.
func deleteFirstLives(ctx context.Context, e Env, only func(*corev1.Pod) *metav1.Preconditions) {
	outdated, err := e.pods().List(ctx, metav1.ListOptions{LabelSelector: "app,!successor"})
	if err != nil {
		return
	}
	for _, p := range outdated.Items {
		e.pods().Delete(ctx, p.Name, metav1.DeleteOptions{Preconditions: only(&p)})
	}
}

// succeedPods replaces each pod with another one of its name.
func succeedPods(ctx context.Context, e Env) {
	for _, pod := range []string{"a", "b", "c"} {
		successor := newPod(pod)
		successor.Labels["successor"] = "yes"
		e.pods().Delete(ctx, pod, metav1.DeleteOptions{})
		e.pods().Create(ctx, successor, metav1.CreateOptions{})
	}
}

func allThere(c *fakes.Cluster) error {
	if n := len(c.Pods()); n != 3 {
		return fmt.Errorf("%d of 3 successors are there", n)
	}
	return nil
}

// versionDropped forces its update through by leaving the version out, over what others have written since.
func versionDropped(ctx context.Context, e Env) {
	own(ctx, e, func(p *corev1.Pod) { p.ResourceVersion = "" })
}

func versionDroppedFixed(ctx context.Context, e Env) { own(ctx, e, func(*corev1.Pod) {}) }

func own(ctx context.Context, e Env, prepare func(*corev1.Pod)) {
	for _, pod := range []string{"a", "b", "c"} {
		for apierrors.IsConflict(e.change(ctx, pod, func(p *corev1.Pod) {
			p.Labels["owner"] = "backup"
			prepare(p)
		})) {
		}
	}
}

func labelPods(ctx context.Context, e Env) {
	for _, pod := range []string{"a", "b", "c"} {
		e.label(ctx, pod, "value", "1")
	}
}

func labelsKept(c *fakes.Cluster) error {
	for _, p := range c.Pods() {
		if p.Labels["value"] != "1" || p.Labels["owner"] != "backup" {
			return fmt.Errorf("pod %s has lost a label: %v", p.Name, p.Labels)
		}
	}
	return nil
}
