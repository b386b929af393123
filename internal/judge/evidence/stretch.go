package evidence

import "github.com/unpark-go/unpark"

// stretched is by what the samples of a kind are multiplied. A window that a guard made
// begins with readings from before its trigger, and a CPU profile cannot: what it has
// stands for the whole window, so that it adds up to what the operating system counted.
func (p *profiles) stretched(kind unpark.Kind) float64 {
	w := p.in.Window
	if kind != unpark.KindCPU || w.Start.IsZero() {
		return 1
	}
	missing := 0.0
	for _, f := range w.Profiles {
		if f.Kind == kind && f.State == unpark.Present {
			missing = max(missing, f.Start.Sub(w.Start).Seconds()/w.Seconds())
		}
	}
	if !(missing > leastMissing && missing < 1) {
		return 1
	}
	return 1 / (1 - missing)
}

// noteStretched says that the CPU of the first part of the window is that of the rest.
func (n *notices) noteStretched() {
	by := n.stretched(unpark.KindCPU)
	if by == 1 || !n.has(unpark.KindCPU) {
		return
	}
	n.add("cpu-profile-after", "take the functions of the CPU for those after the trigger; waits and allocations are of the whole window",
		"The CPU profile is of the last %.0f s of the window of %.0f s, and stands for all of it.", n.seconds/by, n.seconds)
}
