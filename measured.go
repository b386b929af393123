package unpark

// EnoughAnswered is the part of what an open loop offers below which the target, and
// not chance, keeps the rate down: a run is void below 99.5 % for the generator's own
// reasons, so 2 % is the target's.
const EnoughAnswered = 0.98

// Overloaded reports that an open loop offered more than was answered.
func (l Load) Overloaded() bool {
	return l.Mode.Open() && l.OfferedRPS > 0 && l.AchievedRPS < EnoughAnswered*l.OfferedRPS
}

// MeasuredAt is the index of the window that a run's verdict is about: the one with the
// highest throughput, without load the first; -1 when there is none.
func (r Run) MeasuredAt() int {
	best := -1
	for i, w := range r.Windows {
		if best < 0 || w.Load != nil && (r.Windows[best].Load == nil || w.Load.AchievedRPS > r.Windows[best].Load.AchievedRPS) {
			best = i
		}
	}
	return best
}

// Measured is the window at MeasuredAt; nil when there is none.
func (r Run) Measured() *Window {
	if i := r.MeasuredAt(); i >= 0 {
		return &r.Windows[i]
	}
	return nil
}
