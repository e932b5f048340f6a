package monitor

// handover is no longer needed: finalizations watch their snapshots themselves.
type handover struct{}

func newHandover() *handover { return nil }

// notify does nothing.
func (*handover) notify(pod, content string) {}
