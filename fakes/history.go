package fakes

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// Compact has the API server forget the past: lists of an older revision than
// the present one, and watches from there, are answered with Expired from now
// on. A real server does so every five minutes. Properties see the past all
// the same.
func (c *Cluster) Compact() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.compact()
}

//go:norace
func (c *Cluster) compact() { c.compacted = c.revision }

// oldest returns the oldest revision that can be listed.
//
//go:norace
func (c *Cluster) oldest() int64 { return c.compacted }

// mayCompact asks whether the server forgets the past before it answers a
// request that needs what happened from a revision on.
func (c *Cluster) mayCompact(what string, revision int64) {
	most := c.options.Faults.Compactions
	if most == 0 || revision >= c.Revision() || c.forgotten(revision) {
		return
	}
	if c.fault(what, compacted, most, func(s *Stats) *int { return &s.Compactions }) {
		c.Compact()
	}
}

// forgotten tells whether what happened from a revision on is not all known.
func (c *Cluster) forgotten(revision int64) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return revision < c.oldest()
}

// expired is the error for a list whose revision was compacted away. One that
// was to be continued can be, from the present state.
func (q query) expired() error {
	if q.from == "" {
		return apierrors.NewResourceExpired("The resourceVersion for the provided list is too old.")
	}
	err := apierrors.NewResourceExpired("The provided continue parameter is too old to display a consistent list result. " +
		"You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results.")
	err.ErrStatus.Continue = continuation{list: q.list, from: q.from}.String()
	return err
}

// tooOld is what ends a watch whose history was compacted away.
func tooOld() watch.Event {
	status := apierrors.NewResourceExpired("The resourceVersion for the provided watch is too old.").Status()
	return watch.Event{Type: watch.Error, Object: &status}
}

// tooLarge is the error for a revision that is yet to come.
func tooLarge(wanted, present int64) error {
	err := apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", wanted, present), 1)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{
		Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version",
	}}
	return err
}
