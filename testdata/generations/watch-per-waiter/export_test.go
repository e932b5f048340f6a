package monitor

// Waiting returns how many entries the hand-over has, which it never has.
func (m *Monitor) Waiting() int { return 0 }
