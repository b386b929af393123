package predict

import "slices"

// relief is by how much less a wait is late once a cut leaves processors free, in
// seconds; nothing where the cut takes no CPU.
func (c change) relief(left cost) span {
	if c.cut.cpu.value <= 0 {
		return span{}
	}
	// What the cut leaves runs at least as often as now.
	was, is := c.late(c.cpu, c.rate), c.late(left.target.value, c.rate)
	return span{0, max(0, was.value-is.value), max(0, was.high-is.high)}
}

// sooner takes from the holds of the other locks what their holders are late, as far as
// they are not on a processor.
func (c change) sooner(holds []times, late float64) []times {
	if late <= 0 || len(holds) == 0 {
		return holds
	}
	out := slices.Clone(holds)
	for i, st := range c.others(c.cut.station) {
		out[i].mean = max(leastHold*out[i].mean, out[i].mean-st.late(late))
	}
	return out
}

// earlier is how much shorter a request's waits for locks get, in seconds, in
// proportion to the holds. That other waits end late as well is not taken off: how
// many of them a request has is not known.
func (c change) earlier(late float64) float64 {
	var sum float64
	for _, st := range c.others(c.cut.station) {
		sum += st.wait * st.late(late) / st.demand
	}
	return sum
}
