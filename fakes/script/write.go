package script

import (
	"context"
	"fmt"

	snapshotv1 "github.com/kubernetes-csi/external-snapshotter/client/v6/apis/volumesnapshot/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// write does all writes, with no time between them.
func (p *player) write(writes []Write) {
	for _, w := range writes {
		p.writeOne(w)
	}
}

func (p *player) writeOne(w Write) {
	s, err := p.api.Get(context.Background(), w.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		p.create(w.Name)
		return
	}
	must(err)
	switch w.Verb {
	case Label:
		s.Labels = map[string]string{"n": p.mark()}
		fallthrough
	case Nothing:
		_, err = p.api.Update(context.Background(), s, metav1.UpdateOptions{})
	case Ready:
		ready := s.Status == nil || !*s.Status.ReadyToUse
		s.Status = &snapshotv1.VolumeSnapshotStatus{ReadyToUse: &ready}
		_, err = p.api.UpdateStatus(context.Background(), s, metav1.UpdateOptions{})
	case Delete, Recreate:
		err = p.api.Delete(context.Background(), w.Name, metav1.DeleteOptions{})
	}
	must(err)
	p.look()
	if w.Verb == Recreate {
		p.create(w.Name)
	}
}

func (p *player) create(name string) {
	s := &snapshotv1.VolumeSnapshot{ObjectMeta: metav1.ObjectMeta{
		Namespace: metav1.NamespaceDefault, Name: name, Labels: map[string]string{"n": p.mark()},
	}}
	_, err := p.api.Create(context.Background(), s, metav1.CreateOptions{})
	must(err)
	p.look()
}

// mark is a label that no state had before.
func (p *player) mark() string { return fmt.Sprintf("state%d", len(p.past)) }
