package monitor

import "context"

// notify hands the name of a snapshot's content over to the pod's finalization.
func (m *Monitor) notify(pod, content string) {
	if _, found := m.notifyPod[pod]; !found {
		m.notifyPod[pod] = make(chan string)
	}
	m.notifyPod[pod] <- content
}

// await returns the name of the content that is handed over to the pod's
// finalization, or an error when ctx ends first.
func (m *Monitor) await(ctx context.Context, pod string) (string, error) {
	if _, found := m.notifyPod[pod]; !found {
		m.notifyPod[pod] = make(chan string)
	}
	select {
	case content := <-m.notifyPod[pod]:
		return content, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
