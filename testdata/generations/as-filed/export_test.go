package monitor

// Waiting returns how many entries the hand-over has. Nobody may use it meanwhile.
func (m *Monitor) Waiting() int { return len(m.handover.notifyPod) }
