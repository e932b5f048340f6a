package monitor

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
)

// bounded refuses to update a pod for who would wait for ever.
type bounded struct{ coreclient.PodsGetter }

type boundedPods struct{ coreclient.PodInterface }

var errUnbounded = errors.New("the call has no deadline")

func (b bounded) Pods(namespace string) coreclient.PodInterface {
	return boundedPods{b.PodsGetter.Pods(namespace)}
}

func (b boundedPods) Update(ctx context.Context, pod *corev1.Pod, options metav1.UpdateOptions) (*corev1.Pod, error) {
	if _, found := ctx.Deadline(); !found {
		return nil, errUnbounded
	}
	return b.PodInterface.Update(ctx, pod, options)
}
