package fakes

// fault asks the scheduler for one of the faults that are counted for the
// whole cluster, as long as fewer than bound have happened.
func (c *Cluster) fault(label string, bound int, counter func(*Stats) *int) bool {
	happened := c.Stats()
	if *counter(&happened) >= bound || c.ask(label, 2, c.options.Faults.Rare) == 0 {
		return false
	}
	c.count(func(s *Stats) { *counter(s)++ })
	return true
}
