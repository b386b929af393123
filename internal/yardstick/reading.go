package yardstick

import (
	"slices"
	"time"
)

// How often a piece of work is done. Figures of one are not those of the other: the longer something else ran, the less is left in the
// caches of what a piece needs.
const (
	// Often is for rounds, which are held against each other and not against anything else: with pieces of 0.17 ms, and as much again for
	// the timer, about 1 % of one processor.
	Often = 25 * time.Millisecond
	// Seldom is for a run that is also looked at by itself: fewer than one request in five hundred meets a piece, so that its p99 stays
	// what it is. A window of 2 s has enough pieces for a figure.
	Seldom = 100 * time.Millisecond
)

// piece is one piece of work: when it ended, since the start, and the processor time
// that it took.
type piece struct{ at, took time.Duration }

const (
	// trim is the share of the pieces that is left out at each end: a piece that the
	// hypervisor or an interrupt fell into tells of that moment, not of the machine.
	// Of the mean, 5, 10 and 25 % and the median, 5–10 % left least over in four
	// services (docs/decisions/0017-yardstick.md).
	trim = 0.1
	// least is the number of pieces below which there is no figure: the mean of
	// twenty is known to 5 %.
	least = 20
)

// Within returns the processor time of a piece, a mean without the tenth at each
// end, of the pieces that ended between two instants, and how many they were. It is
// called after Stop. False when they are too few to tell.
func (y *Yardstick) Within(from, to time.Time) (took time.Duration, n int, ok bool) {
	var all []time.Duration
	for _, p := range y.pieces {
		if at := y.began.Add(p.at); !at.Before(from) && !at.After(to) {
			all = append(all, p.took)
		}
	}
	if len(all) < least {
		return 0, len(all), false
	}
	return trimmed(all), len(all), true
}

// trimmed is the mean of what remains in the middle; all is sorted by it.
func trimmed(all []time.Duration) time.Duration {
	slices.Sort(all)
	cut := int(trim * float64(len(all)))
	var sum time.Duration
	for _, d := range all[cut : len(all)-cut] {
		sum += d
	}
	return sum / time.Duration(len(all)-2*cut)
}
